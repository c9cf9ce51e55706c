"""Converts the entries of the event form for the service, and refusals for the form."""

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
    "answers_until", "ends_at", "host", "host_email", "caterer_email",
)  # fmt: skip


@dataclass(frozen=True)
class SpeakerRow:
    """A row of the form for one speaker; `key` identifies it while rows are added, moved and removed."""

    key: str
    name: str = ""
    company: str = ""
    role: str = ""
    bio: str = ""


@dataclass(frozen=True)
class FieldErrors:
    """The error beside each field; empty without one."""

    title: str = ""
    date: str = ""
    status: str = ""
    location: str = ""
    max_participants: str = ""
    address: str = ""
    description: str = ""
    answers_until: str = ""
    ends_at: str = ""
    host: str = ""
    host_email: str = ""
    caterer_email: str = ""
    speaker_name: str = ""
    speaker_company: str = ""
    speaker_role: str = ""
    speaker_bio: str = ""


@dataclass(frozen=True)
class FormNotice:
    """What just succeeded or failed, shown in the open dialog. `tone` is "green" or "red"."""

    tone: str = ""
    title: str = ""
    text: str = ""


def field_errors(errors: dict[str, str]) -> FieldErrors:
    """The errors of a refusal that the form has a field for."""
    known = {each.name for each in fields(FieldErrors)}
    return FieldErrors(**{name: text for name, text in errors.items() if name in known})


def speaker_rows(speakers: Sequence[SpeakerForm]) -> list[SpeakerRow]:
    """The rows of speakers, each with a new key."""
    return [SpeakerRow(key=_key(), **vars(speaker)) for speaker in speakers]


def empty_row() -> SpeakerRow:
    """An empty row with a new key."""
    return SpeakerRow(key=_key())


def move_row(rows: Sequence[SpeakerRow], key: str, step: int) -> list[SpeakerRow]:
    """The rows with one moved by `step`, -1 or 1; unchanged at either end."""
    index = next((at for at, row in enumerate(rows) if row.key == key), -1)
    other = index + (step if step in (-1, 1) else 0)
    if index < 0 or not 0 <= other < len(rows):
        return list(rows)
    moved = list(rows)
    moved[index], moved[other] = moved[other], moved[index]
    return moved


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
