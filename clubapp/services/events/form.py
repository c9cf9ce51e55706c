"""The event form of administrators and its rules."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from clubapp import clock
from clubapp.models import EventStatus
from clubapp.refusals import Invalid
from clubapp.services.base.form_fields import FormCheck, clean_line

MAX_SPEAKERS = 30
MAX_PARTICIPANTS = 100_000
STATUSES = tuple((status.value, status.label) for status in EventStatus)
LONGEST_BIO = 2_000
LUNCH_STARTS = ("10:30", "13:30")  # the first and the last hour at which an event begins that lunch is proposed for
BAD_END = "Indiquez une heure valide, par exemple 14:30."
END_BEFORE_START = "L’heure de fin doit suivre celle du début. Un événement finit au plus tard à 06:00 le lendemain."
LATE_DEADLINE = "La date limite de réponse doit précéder l’événement."

_LOCAL_TIME = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?")
_HOUR = re.compile(r"([01]\d|2[0-3]):[0-5]\d(:\d{2}(\.\d+)?)?")
_YEARS = range(2000, 2101)
_NIGHT_ENDS = "06:00"


@dataclass(frozen=True)
class SpeakerForm:
    """One speaker row, as typed."""

    name: str = ""
    company: str = ""
    role: str = ""
    bio: str = ""


@dataclass(frozen=True)
class EventForm:
    """The form as typed. `seen` is the version that was opened: empty for a new event. `ends_at` is an hour, '14:30'.

    `copy_of` is the id of the event that a new one copies, whose mail texts it takes.
    """

    id: str = ""
    seen: str = ""
    copy_of: str = ""
    title: str = ""
    date: str = ""
    status: str = EventStatus.DRAFT.value
    location: str = ""
    max_participants: str = ""
    address: str = ""
    description: str = ""
    has_lunch: bool = True
    answers_until: str = ""
    ends_at: str = ""
    host: str = ""
    host_email: str = ""
    caterer_email: str = ""
    speakers: tuple[SpeakerForm, ...] = (SpeakerForm(),)


@dataclass(frozen=True)
class CheckedSpeaker:
    """A speaker that may be stored; empty optional values are None."""

    name: str
    company: str | None
    role: str | None
    bio: str | None


@dataclass(frozen=True)
class CheckedEvent:
    """An event that may be stored."""

    title: str
    date: datetime
    month: str
    status: str
    location: str
    max_participants: int | None
    address: str | None
    description: str | None
    has_lunch: bool
    answers_until: datetime | None
    ends_at: datetime | None
    host: str
    host_email: str
    caterer_email: str
    speakers: tuple[CheckedSpeaker, ...]

    @property
    def columns(self) -> dict[str, object]:
        """The columns of `events` to write, a fixed list (W3)."""
        return {name: value for name, value in vars(self).items() if name != "speakers"}


class _EventCheck(FormCheck):
    """Collects every error of an event form."""

    def date(self, text: str) -> datetime:
        try:
            return parse_local_time(text)
        except Invalid as refusal:
            self.errors["date"] = refusal.text
            return clock.now()

    def deadline(self, text: str, date: datetime) -> datetime | None:
        if not text.strip():
            return None
        try:
            found = parse_local_time(text)
        except Invalid as refusal:
            self.errors["answers_until"] = refusal.text
            return None
        if found >= date and "date" not in self.errors:
            self.errors["answers_until"] = LATE_DEADLINE
        return found

    def end(self, text: str, date: datetime) -> datetime | None:
        """The instant of an hour after the beginning, on the same day or in the night that follows."""
        text = text.strip()
        if not text or "date" in self.errors:
            return None
        if not _HOUR.fullmatch(text):
            self.errors["ends_at"] = BAD_END
            return None
        day = clock.to_local(date)
        if text[:5] <= day.strftime("%H:%M"):
            if text[:5] > _NIGHT_ENDS:
                self.errors["ends_at"] = END_BEFORE_START
                return None
            day += timedelta(days=1)
        try:
            return clock.from_local(f"{day:%Y-%m-%d}T{text[:5]}")
        except Invalid as refusal:
            self.errors["ends_at"] = refusal.text
            return None

    def status(self, text: str) -> str:
        if text not in set(EventStatus):
            self.errors["status"] = "Choisissez le statut de l’événement."
        return text

    def participants(self, text: str) -> int | None:
        text = text.strip()
        if not text:
            return None
        if not text.isascii() or not text.isdecimal() or len(text) > 12 or not 1 <= int(text) <= MAX_PARTICIPANTS:
            self.errors["max_participants"] = (
                "Indiquez un nombre entier à partir de 1 et jusqu’à 100\u00a0000, "
                "ou laissez ce champ vide pour un nombre illimité."
            )
            return None
        return int(text)

    def speakers(self, rows: tuple[SpeakerForm, ...]) -> tuple[CheckedSpeaker, ...]:
        if not rows or not clean_line(rows[0].name):
            self.errors["speaker_name"] = "Indiquez le nom du premier intervenant."
        if len(rows) > MAX_SPEAKERS:
            self.errors["speaker_name"] = f"{MAX_SPEAKERS} intervenants au maximum."
        numbered = enumerate(rows[:MAX_SPEAKERS], start=1)
        return tuple(self._speaker(number, row) for number, row in numbered if clean_line(row.name))

    def _speaker(self, number: int, row: SpeakerForm) -> CheckedSpeaker:
        """A speaker; errors of the second and later ones name their number, since they are shown beside the first."""
        own = _EventCheck()
        checked = CheckedSpeaker(
            name=own.line("speaker_name", row.name),
            company=own.line("speaker_company", row.company) or None,
            role=own.line("speaker_role", row.role) or None,
            bio=own.block("speaker_bio", row.bio, LONGEST_BIO) or None,
        )
        for name, text in own.errors.items():
            self.errors.setdefault(name, text if number == 1 else f"Intervenant {number}\u00a0: {text}")
        return checked


def check_event(form: EventForm) -> CheckedEvent:
    """Check a form and return the event it describes.

    Raises:
        InvalidForm: with every field that is wrong, in the order of the form.
    """
    found = _EventCheck()
    title = found.required("title", found.line("title", form.title), "Indiquez le titre de l’événement.")
    date = found.date(form.date)
    checked = CheckedEvent(
        title=title,
        date=date,
        month=clock.month_of(date),
        status=found.status(form.status),
        location=found.required("location", found.line("location", form.location), "Indiquez le lieu de l’événement."),
        max_participants=found.participants(form.max_participants),
        address=found.line("address", form.address) or None,
        description=found.block("description", form.description) or None,
        has_lunch=bool(form.has_lunch),
        answers_until=found.deadline(form.answers_until, date),
        ends_at=found.end(form.ends_at, date),
        host=found.line("host", form.host),
        host_email=found.email("host_email", form.host_email, ""),
        caterer_email=found.email("caterer_email", form.caterer_email, ""),
        speakers=found.speakers(form.speakers),
    )
    found.raise_errors()
    return checked


def check_caterer(typed: str) -> str:
    """The address of a caterer alone, in the form that is kept.

    Raises:
        InvalidForm: when it is missing or cannot be written to.
    """
    found = _EventCheck()
    address = found.required(
        "caterer_email", found.email("caterer_email", typed, ""), "Indiquez l’adresse du traiteur."
    )
    found.raise_errors()
    return address


def parse_local_time(text: str) -> datetime:
    """Parse the value of a `datetime-local` field.

    Raises:
        Invalid: when it is empty, not a time, outside 2000 to 2100, or skipped by the change of hour.
    """
    text = text.strip()
    if not text:
        raise Invalid("Indiquez la date et l’heure de l’événement.", field="date")
    if not _LOCAL_TIME.fullmatch(text):
        raise Invalid("Indiquez une date et une heure valides.", field="date")
    if int(text[:4]) not in _YEARS:
        raise Invalid("Indiquez une année entre 2000 et 2100.", field="date")
    return clock.from_local(text)
