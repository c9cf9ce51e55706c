"""What someone says of an event, as every screen hands it on: by link, signed in, on the call list, for one person."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import zip_longest

from clubapp.models import MAX_GUESTS
from clubapp.refusals import Invalid
from clubapp.services.answers.guests import COMPANY, EMAIL, LUNCH, NAME, OWN_WISH, WISH, WITH, WITHOUT, GuestEntry

YES, NO = "oui", "non"
CHOICES = (YES, NO)
GUEST_CHOICES = [(str(count), str(count)) for count in range(MAX_GUESTS + 1)]
SAY_WHETHER = "Dites si vous venez."
SAY_HOW_MANY = f"Indiquez un nombre d’invités, de 0 à {MAX_GUESTS}."
CHOOSE = "Choisissez l’une des réponses proposées."
_TICKED = "on"
_BUTTONS = {"true": True, "false": False}
_LUNCHES = {WITH: True, WITHOUT: False}
_LONGEST_NUMBER = 20
_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,20}")


@dataclass(frozen=True)
class Answer:
    """An answer, or a part of one: what is None is not said, and stays as it is."""

    will_attend: bool | None = None
    with_lunch: bool | None = None
    guest_count: int | None = None
    guests: tuple[GuestEntry, ...] | None = None
    meal_wish: str | None = None


def parse_posted(pairs: Iterable[tuple[str, str]]) -> Answer:
    """What the form of the answer page says: one step, or several at once. Of a repeated field the first counts.

    Raises:
        Invalid: when it says nothing, or what no button of the page says.
    """
    pairs = list(pairs)
    fields = dict(reversed(pairs))
    answer = Answer(
        _parse_button(fields.get("will_attend")),
        _parse_button(fields.get("with_lunch")),
        _parse_typed_guests(fields.get("guest_count")),
        parse_guest_fields(pairs),
        fields.get(OWN_WISH),
    )
    if answer == Answer():
        raise Invalid(CHOOSE)
    return answer


def parse_answer(
    will_attend: object, with_lunch: object = None, guest_count: object = 0, *, missing: str = SAY_WHETHER
) -> Answer:
    """A whole answer, from the fields of a form or the arguments of a press.

    Raises:
        Invalid: with the text `missing`, when it is neither yes nor no.
    """
    attends = {YES: True, NO: False}.get(will_attend) if isinstance(will_attend, str) else will_attend
    if not isinstance(attends, bool):
        raise Invalid(missing, field="will_attend")
    return Answer(attends, _parse_lunch(with_lunch), _parse_guests(guest_count))


def parse_choice(value: str) -> bool | None:
    """Of a choice between two: None as long as neither was chosen, for then it is not said."""
    return {YES: True, NO: False}.get(value)


def parse_attendance(will_attend: object) -> Answer:
    """The first step of an answer: "Yes" or "No" alone.

    Raises:
        Invalid: as `parse_answer`.
    """
    return Answer(will_attend=parse_answer(will_attend).will_attend)


def parse_lunch(with_lunch: object) -> Answer:
    """The second step: lunch or not."""
    return Answer(with_lunch=_parse_lunch(with_lunch))


def parse_guests(guest_count: object) -> Answer:
    """The last step: how many guests; what is not a number means 0, and the range is checked when it is recorded."""
    return Answer(guest_count=_parse_guests(guest_count))


def parse_named(pairs: Iterable[tuple[str, str]]) -> Answer:
    """The guests by name, and the member's own wish: the part of an answer that a form of its own asks for."""
    pairs = list(pairs)
    return Answer(guests=parse_guest_fields(pairs), meal_wish=dict(reversed(pairs)).get(OWN_WISH))


def parse_guest_fields(pairs: Iterable[tuple[str, str]]) -> tuple[GuestEntry, ...] | None:
    """The guests of a form whose fields are repeated once for each, in order; None when it has none of these fields."""
    columns: dict[str, list[str]] = {name: [] for name in (NAME, COMPANY, EMAIL, LUNCH, WISH)}
    for name, value in pairs:
        if name in columns:
            columns[name].append(value)
    rows = zip_longest(*columns.values(), fillvalue="")
    entries = tuple(
        GuestEntry(name, company, email, _LUNCHES.get(lunch), wish) for name, company, email, lunch, wish in rows
    )
    return entries or None


def choice_of(will_attend: bool | None) -> str:
    """The value of a form's choice: YES, NO, or nothing."""
    return "" if will_attend is None else YES if will_attend else NO


def _parse_button(value: str | None) -> bool | None:
    if value is None:
        return None
    if value not in _BUTTONS:
        raise Invalid(CHOOSE)
    return _BUTTONS[value]


def _parse_typed_guests(value: str | None) -> int | None:
    """A number in figures, nobody for an empty field; whether so many may come is checked when it is recorded."""
    if not value:
        return None if value is None else 0
    if not _WHOLE_NUMBER.fullmatch(value):
        raise Invalid(SAY_HOW_MANY, field="guest_count")
    return int(value)


def _parse_lunch(value: object) -> bool | None:
    return value if value is None or isinstance(value, bool) else value == _TICKED


def _parse_guests(value: object) -> int:
    try:
        return int(str(value)[:_LONGEST_NUMBER])
    except ValueError:
        return 0
