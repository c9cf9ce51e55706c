"""Where someone stands with an event: the one rule that says it, and the words for it."""

from enum import StrEnum
from typing import NamedTuple, Protocol


class _Words(NamedTuple):
    heading: str
    sentence: str
    call_sentence: str
    table_cell: str
    tone: str


class _Said(NamedTuple):
    heading: str
    table_cell: str


class AttendeeStatus(StrEnum):
    """Where someone stands with an event."""

    COMING = "coming"
    WAITING = "waiting"
    SILENT = "silent"
    DECLINED = "declined"
    UNINVITED = "uninvited"

    @property
    def heading(self) -> str:
        """The name of all who have this status: 'Présents'."""
        return _WORDS[self].heading

    def heading_at(self, *, is_past: bool) -> str:
        """The same for one event: of a past one, an answer is only what was said."""
        return _SAID[self].heading if is_past and self in _SAID else self.heading

    @property
    def sentence(self) -> str:
        """What is said of one person: 'Vient'."""
        return _WORDS[self].sentence

    @property
    def call_sentence(self) -> str:
        """The same on the call list, where no other word says that a "Yes" waits for a place."""
        return _WORDS[self].call_sentence

    def table_cell_at(self, *, is_past: bool) -> str:
        """The word in the column 'Réponse' of an export of one event: of a past one, an answer is what was said."""
        return _SAID[self].table_cell if is_past and self in _SAID else _WORDS[self].table_cell

    @property
    def tone(self) -> str:
        """The colour of its badge."""
        return _WORDS[self].tone

    @property
    def will_attend(self) -> bool | None:
        """What the person has answered; None without an answer."""
        if self in (AttendeeStatus.COMING, AttendeeStatus.WAITING):
            return True
        return False if self is AttendeeStatus.DECLINED else None


_WAITING_LIST = "Liste d’attente"
_WORDS = {
    AttendeeStatus.COMING: _Words("Présents", "Vient", "Vient", "Présent", "green"),
    AttendeeStatus.WAITING: _Words(
        _WAITING_LIST, _WAITING_LIST, "A dit oui, sur la liste d’attente", _WAITING_LIST, "indigo"
    ),
    AttendeeStatus.SILENT: _Words("Sans réponse", "Pas de réponse", "Pas de réponse", "Pas de réponse", "amber"),
    AttendeeStatus.DECLINED: _Words("Absents", "Ne vient pas", "Ne vient pas", "Absent", "red"),
    AttendeeStatus.UNINVITED: _Words("Non invités", "Pas invité", "Pas invité", "Non invité", "neutral"),
}
_SAID = {
    AttendeeStatus.COMING: _Said("Ont dit oui", "A dit oui"),
    AttendeeStatus.DECLINED: _Said("Ont dit non", "A dit non"),
}


class Answered(Protocol):
    """A reservation, or an answer of its history."""

    @property
    def will_attend(self) -> bool | None: ...

    @property
    def is_waiting(self) -> bool: ...


def status_of(reservation: Answered | None) -> AttendeeStatus:
    """The status that a reservation stands for; without one the person is not invited."""
    if reservation is None:
        return AttendeeStatus.UNINVITED
    if reservation.will_attend is None:
        return AttendeeStatus.SILENT
    if not reservation.will_attend:
        return AttendeeStatus.DECLINED
    return AttendeeStatus.WAITING if reservation.is_waiting else AttendeeStatus.COMING
