"""What the event form sends, turned into what the service takes; and refusals, turned into what the form shows."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, fields

from clubapp.services.event_form import EventForm, SpeakerForm

_SPEAKER = {"speaker_name": "name", "speaker_company": "company", "speaker_role": "role", "speaker_bio": "bio"}
_SINGLE = ("id", "seen", "title", "date", "status", "location", "max_participants", "address", "description")


@dataclass(frozen=True)
class SpeakerRow:
    """A speaker row on the screen; `key` stays its own while others come and go."""

    key: str
    name: str = ""
    company: str = ""
    role: str = ""
    bio: str = ""


@dataclass(frozen=True)
class FieldErrors:
    """The sentence beside each field; empty where all is well."""

    title: str = ""
    date: str = ""
    status: str = ""
    location: str = ""
    max_participants: str = ""
    address: str = ""
    description: str = ""
    speaker_name: str = ""
    speaker_company: str = ""
    speaker_role: str = ""
    speaker_bio: str = ""


@dataclass(frozen=True)
class Notice:
    """What just went well or wrong, told where the eye is. `tone` is "green" or "red"."""

    tone: str = ""
    title: str = ""
    text: str = ""


def field_errors(errors: dict[str, str]) -> FieldErrors:
    """A refusal's sentences by field."""
    known = {each.name for each in fields(FieldErrors)}
    return FieldErrors(**{name: text for name, text in errors.items() if name in known})


def speaker_rows(speakers: Sequence[SpeakerForm]) -> list[SpeakerRow]:
    """The rows of some speakers."""
    return [SpeakerRow(key=_key(), **vars(speaker)) for speaker in speakers]


def empty_row() -> SpeakerRow:
    """One more row."""
    return SpeakerRow(key=_key())


def event_form(entries: Sequence[Sequence[str]]) -> EventForm:
    """The form from its (name, value) pairs in order: each 'speaker_name' begins a speaker."""
    single: dict[str, str] = {}
    speakers: list[dict[str, str]] = []
    for name, value in (entry for entry in entries if len(entry) == 2):
        if name == "speaker_name":
            speakers.append({"name": value})
        elif name in _SPEAKER and speakers:
            speakers[-1][_SPEAKER[name]] = value
        elif name in _SINGLE or name == "has_lunch":
            single[name] = value
    return EventForm(
        **{name: single.get(name, "") for name in _SINGLE},
        has_lunch="has_lunch" in single,
        speakers=tuple(SpeakerForm(**row) for row in speakers),
    )


def _key() -> str:
    return secrets.token_hex(4)
