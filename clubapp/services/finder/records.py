"""What can be found: each with the texts that a search compares, in order of weight."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlmodel import Session, col, select

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


class Record(NamedTuple):
    """A hit before it is made, because most are not shown, and what is compared with the words of a search."""

    kind: str
    row: Any
    fields: Fields

    def build_hit(self) -> Hit:
        """What is shown of it."""
        return _BUILD[self.kind](self.row)


def list_people(session: Session) -> Iterator[Record]:
    """All members, by name; those who are inactive too, last."""
    columns: Any = (Member.id, Member.name, Member.company, Member.role, Member.email, Member.is_active, Member.phone)
    query = select(*columns).order_by(col(Member.is_active).desc(), col(Member.name), col(Member.id))
    rows: Sequence[Any] = session.connection().execute(query).all()
    for row in rows:
        _, name, company, role, email, *_ = row
        yield Record(PERSON, row, (name, company, role, email or ""))


def list_companies(session: Session) -> Iterator[Record]:
    """All companies, by name."""
    columns: Any = (Company.id, Company.name, Company.city, Company.activity_domain, Company.phone)
    query = select(*columns).order_by(col(Company.name), col(Company.id))
    for row in session.connection().execute(query).all():
        yield Record(COMPANY, row, row[1:4])


def find_by_phone(known: Sequence[Record], text: str) -> list[int]:
    """The indexes of the people and companies whose telephone has these digits; none when a text is no part of one."""
    if not _PART_OF_PHONE.fullmatch(text.strip()):
        return []
    wanted = _strip_phone(text)
    if len(wanted) < _FEWEST_DIGITS:
        return []
    return [
        place
        for place, record in enumerate(known)
        if record.kind in (PERSON, COMPANY) and wanted in _strip_phone(record.row.phone)
    ]


def _strip_phone(text: str) -> str:
    """'0639980688' of '06 39 98 06 88', '+33 (0)6 39 98 06 88' and '0033639980688'."""
    digits = text.translate(_SEPARATORS)
    for prefix in _FROM_ABROAD:
        if digits.startswith(prefix):
            return f"0{digits.removeprefix(prefix).lstrip('0')}"
    return digits


def list_meetings(events: Sequence[Event]) -> Iterator[Record]:
    """Events, in the order given; 'décembre' and '10 décembre 2026' find them."""
    for event in events:
        yield Record(MEETING, event, (event.title, clock.long_day(event.date), event.location, event.host))


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
