"""What can be found: each with the texts that a search compares, in order of weight."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlmodel import Session, select

from clubapp import clock, routes
from clubapp.models import Company, Event, EventStatus, Member
from clubapp.services.base.search import Fields
from clubapp.text import phone_numbers

_FEWEST_DIGITS = 4
_PART_OF_PHONE = re.compile(r"\+?[\d\s.()/-]+", re.ASCII)
_SEPARATORS = str.maketrans("", "", " \u00a0\u202f\t.-/()")
_FROM_ABROAD = ("+33", "0033")
PERSON, COMPANY, MEETING, SHORTCUT = "person", "company", "meeting", "shortcut"


@dataclass(frozen=True)
class Hit:
    """Something found, of one of the four kinds.

    `press` names the button of its screen that is pressed on arrival; a document is a page without an interface.
    """

    id: str
    kind: str
    title: str
    hint: str
    href: str
    press: str = ""
    is_document: bool = False


class Source(NamedTuple):
    """All that can be found of a kind: its rows, and what is compared of each with the words of a search.

    A hit is made of what is shown alone, and only what is found is sorted.
    """

    kind: str
    rows: Sequence[Any]
    fields: Sequence[Fields]


def build_hit(kind: str, row: Any) -> Hit:
    """What is shown of a row."""
    return _BUILD[kind](row)


def order_equal(kind: str, row: Any, place: int) -> tuple[Any, ...]:
    """What sorts those that match equally: people and companies by name, who is inactive last; others by place."""
    if kind == PERSON:
        return 0, not row.is_active, row.name, row.id
    return (1, row.name, row.id) if kind == COMPANY else (2, place)


def list_people(session: Session) -> Source:
    """All members, in no order; those who are inactive too."""
    columns: Any = (Member.id, Member.name, Member.company, Member.role, Member.email, Member.is_active, Member.phone)
    rows: Sequence[Any] = session.connection().execute(select(*columns)).all()
    return Source(PERSON, rows, [(name, company, role, email or "") for _, name, company, role, email, *_ in rows])


def list_companies(session: Session) -> Source:
    """All companies, in no order."""
    columns: Any = (Company.id, Company.name, Company.city, Company.activity_domain, Company.phone)
    rows: Sequence[Any] = session.connection().execute(select(*columns)).all()
    return Source(COMPANY, rows, [row[1:4] for row in rows])


def find_by_phone(kinds: Sequence[str], rows: Sequence[Any], text: str) -> list[int]:
    """The indexes of the people and companies whose telephone has these digits; none when a text is no part of one."""
    if not _PART_OF_PHONE.fullmatch(text.strip()):
        return []
    wanted = _strip_phone(text)
    if len(wanted) < _FEWEST_DIGITS:
        return []
    return [
        place
        for place, (kind, row) in enumerate(zip(kinds, rows, strict=True))
        if kind in (PERSON, COMPANY) and wanted in _strip_phone(row.phone)
    ]


def _strip_phone(text: str) -> str:
    """'0639980688' of '06 39 98 06 88', '+33 (0)6 39 98 06 88' and '0033639980688'."""
    digits = text.translate(_SEPARATORS)
    for prefix in _FROM_ABROAD:
        if digits.startswith(prefix):
            return f"0{digits.removeprefix(prefix).lstrip('0')}"
    return digits


def list_meetings(events: Sequence[Event]) -> Source:
    """Events; 'décembre' and '10 décembre 2026' find them."""
    fields = [(event.title, clock.long_day(event.date), event.location, event.host) for event in events]
    return Source(MEETING, events, fields)


def _person(row: Any) -> Hit:
    member_id, name, company, role, _, is_active, phone = row
    told = (phone_numbers.format_phone(phone), company, role, "" if is_active else "inactif")
    hint = ", ".join(filter(None, told))
    return Hit(f"{PERSON}-{member_id}", PERSON, name, hint, routes.admin_member(member_id))


def _company(row: Any) -> Hit:
    company_id, name, city, domain, phone = row
    hint = ", ".join(filter(None, (phone_numbers.format_phone(phone), city, domain)))
    return Hit(f"{COMPANY}-{company_id}", COMPANY, name, hint, routes.admin_company(company_id))


def _meeting(event: Event) -> Hit:
    status = "" if event.status == EventStatus.CONFIRMED else EventStatus(event.status).label.lower()
    hint = ", ".join(filter(None, (clock.long_day(event.date), event.location, status)))
    return Hit(f"{MEETING}-{event.id}", MEETING, event.title, hint, routes.admin_event(event.id))


_BUILD = {PERSON: _person, COMPANY: _company, MEETING: _meeting, SHORTCUT: lambda hit: hit}
