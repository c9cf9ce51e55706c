"""What the event form sends, turned into what the service takes; and refusals, turned into what the form shows."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import zip_longest
from typing import Any

from clubapp.services.events.form import EventForm, SpeakerForm
from clubapp.ui.react.forms.draft_form import text_of, texts_of

_SPEAKER = ("speaker_name", "speaker_company", "speaker_role", "speaker_bio")
_SINGLE = (
    "id", "seen", "copy_of", "title", "date", "status", "location", "max_participants", "address", "description",
    "answers_until",
)  # fmt: skip


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
    answers_until: str = ""
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


def move_row(rows: Sequence[SpeakerRow], key: str, step: int) -> list[SpeakerRow]:
    """The rows with one of them a step further up or down; as they were at either end."""
    place = next((index for index, row in enumerate(rows) if row.key == key), -1)
    other = place + (step if step in (-1, 1) else 0)
    if place < 0 or not 0 <= other < len(rows):
        return list(rows)
    found = list(rows)
    found[place], found[other] = found[other], found[place]
    return found


def event_form(entries: Any) -> EventForm:
    """The form from its entries; the speakers' columns stand in the order of their rows."""
    columns = [texts_of(entries, name) for name in _SPEAKER]
    return EventForm(
        **{name: text_of(entries, name) for name in _SINGLE},
        has_lunch=bool(texts_of(entries, "has_lunch")),
        speakers=tuple(SpeakerForm(*row) for row in zip_longest(*columns, fillvalue="")),
    )


def _key() -> str:
    return secrets.token_hex(4)
