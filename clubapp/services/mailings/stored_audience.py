"""To whom a broadcast goes: every active member, those of a domain, those of one answer to an event, or named people.

A selection is stored in `BroadcastEmail.audience` as a text: empty for all, 'domain:<domain>',
'event:<id>:<answer>', or 'members:<id>,<id>'. `audiences` finds the people when the broadcast is sent.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from sqlmodel import Session

from clubapp import clock, routes
from clubapp.models import DOMAINS, Event, Member

ALL = ""
ALL_MEMBERS = "Tous les membres"
EVERYBODY = "tous"  # in the place of a domain in an address
MOST_PICKED = 300
PICKED = "members:"  # how a selection of named people begins
_LONGEST_ID = 36


class AnswerGroup(StrEnum):
    """What those whom a selection names have said about an event, or done."""

    YES = "yes"
    NO = "no"
    SILENT = "silent"
    WAITING = "waiting"
    GUESTS = "guests"  # the guests of those who said yes, as far as they are named
    CAME = "came"  # members and guests
    ABSENT = "absent"  # who did not come although they were expected, guests included

    @property
    def label(self) -> str:
        """The French words after the name of the event."""
        return _WORDS[self][1]


# For each: the word of an address, and the label.
_WORDS = {
    AnswerGroup.YES: ("oui", "ont dit oui"),
    AnswerGroup.NO: ("non", "ont dit non"),
    AnswerGroup.SILENT: ("sans", "sans réponse"),
    AnswerGroup.WAITING: ("attente", "sur la liste d’attente"),
    AnswerGroup.GUESTS: ("invites", "leurs invités"),
    AnswerGroup.CAME: ("venus", "sont venus"),
    AnswerGroup.ABSENT: ("absents", "absents malgré leur réponse"),
}
_BY_WORD = {word: answer for answer, (word, _) in _WORDS.items()}


@dataclass(frozen=True)
class Selection:
    """One of: `members` by id, an `answer` to the event `event_id`, a `domain`, or, without any, all members."""

    members: tuple[str, ...] = ()
    event_id: str = ""
    answer: AnswerGroup | None = None
    domain: str = ""

    @property
    def is_all(self) -> bool:
        """Whether it is every active member."""
        return self == Selection()

    def to_audience(self) -> str:
        """The text that is stored."""
        if self.members:
            return PICKED + ",".join(self.members)
        if self.answer:
            return f"event:{self.event_id}:{self.answer}"
        return f"domain:{self.domain}" if self.domain else ALL

    def to_query(self) -> dict[str, str]:
        """The parameters of `routes.write_to`."""
        if self.members:
            return {"membres": ",".join(self.members)}
        if self.answer:
            return {"evenement": self.event_id, "reponse": _WORDS[self.answer][0]}
        return {"domaine": self.domain or EVERYBODY}


def parse_audience(audience: str) -> Selection | None:
    """The selection of a stored text; None for what is none."""
    kind, _, rest = audience.partition(":")
    if audience == ALL:
        return Selection()
    if kind == "domain" and rest in DOMAINS:
        return Selection(domain=rest)
    if kind == "members":
        return _picked(rest.split(","))
    event_id, _, answer = rest.partition(":")
    if kind == "event" and event_id and answer in set(AnswerGroup):
        return Selection(event_id=event_id, answer=AnswerGroup(answer))
    return None


def selection_of_address(query: Mapping[str, str]) -> Selection | None:
    """The selection that the parameters of an address name (`routes.write_to`); None when they name none."""
    answer = _BY_WORD.get(query.get("reponse", ""))
    if query.get("membres"):
        return _picked(routes.unpack_ids(query["membres"]))
    if query.get("evenement") and answer:
        return Selection(event_id=query["evenement"][:_LONGEST_ID], answer=answer)
    domain = query.get("domaine", "")
    if domain == EVERYBODY:
        return Selection()
    return Selection(domain=domain) if domain in DOMAINS else None


def event_of(audience: str) -> str | None:
    """The id of the event that a stored selection is about."""
    found = parse_audience(audience)
    return (found.event_id or None) if found else None


def describe_audience(session: Session, audience: str) -> str:
    """'Domaine Formation & Conseil', '« Matinale » du lundi 5 mai 2025 : ont dit oui'; empty when there is none."""
    selection = parse_audience(audience)
    if selection is None:
        return ""
    if selection.members:
        return _describe_picked(session, selection.members)
    if selection.answer:
        event = session.get(Event, selection.event_id)
        if event is None:
            return ""
        return f"«\u00a0{event.title}\u00a0» du {clock.long_day(event.date)}\u00a0: {selection.answer.label}"
    return f"Domaine {selection.domain}" if selection.domain else ALL_MEMBERS


def _picked(ids: list[str]) -> Selection | None:
    wanted = tuple(dict.fromkeys(each.strip()[:_LONGEST_ID] for each in ids if each.strip()))
    return Selection(members=wanted) if 0 < len(wanted) <= MOST_PICKED else None


def _describe_picked(session: Session, ids: tuple[str, ...]) -> str:
    first = session.get(Member, ids[0]) if len(ids) == 1 else None
    return first.name if first else f"{len(ids)} membres choisis" if len(ids) > 1 else "1 membre choisi"
