"""Every screen of the administration asks the database as often for 6 000 members as for 60."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import insert
from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.mail.messages.invitation_and_reminders import INVITATION
from clubapp.models import Company, Event, EventReservation, MailState, Member, OutboxMail, new_id
from clubapp.services.attendance import answer_list
from clubapp.services.base.actors import SYSTEM
from clubapp.services.companies import company_page
from clubapp.services.companies import listing as company_listing
from clubapp.services.events import meeting_mails, meeting_page, season_list
from clubapp.services.finder import finding
from clubapp.services.mail_log import listing as mail_listing
from clubapp.services.mail_log.listing import MailLogQuery
from clubapp.services.mailings import overview, writing
from clubapp.services.mailings.stored_audience import AnswerGroup, Selection
from clubapp.services.members import listing as member_listing
from clubapp.services.members import person_page
from clubapp.services.reminders import upcoming_mailings
from clubapp.services.today import day, menu_counts
from tests.factories import add_company, add_event
from tests.statements import counted

FEW, MANY = 60, 6_000
MOST_QUERIES = 40


@dataclass
class Club:
    """The ids of something of each kind."""

    event: str
    member: str
    company: str


SCREENS: dict[str, Callable[[Session, Club], Any]] = {
    "menu": lambda session, _: menu_counts.count_menu(session, SYSTEM),
    "Aujourd’hui": lambda session, _: day.open_day(session, SYSTEM),
    "event": lambda session, club: meeting_page.read_meeting(session, SYSTEM, club.event),
    "event, answers": lambda session, club: answer_list.list_answers(session, SYSTEM, club.event),
    "event, search": lambda session, club: answer_list.list_answers(session, SYSTEM, club.event, wanted="dupont"),
    "event, mails": lambda session, club: meeting_mails.read_mails(session, SYSTEM, club.event),
    "season": lambda session, _: season_list.list_season(session, SYSTEM),
    "member": lambda session, club: person_page.read_person(session, SYSTEM, club.member),
    "company": lambda session, club: company_page.read_company(session, SYSTEM, club.company),
    "members": lambda session, _: member_listing.list_members(session, SYSTEM),
    "companies": lambda session, _: company_listing.list_companies(session, SYSTEM),
    "search": lambda session, _: finding.find_anything(session, SYSTEM, "dupont"),
    "Écrire": lambda session, club: writing.begin(session, SYSTEM, {"evenement": club.event, "reponse": "sans"}),
    "Écrire, to whom": lambda session, club: writing.read_to_whom(
        session, SYSTEM, Selection(event_id=club.event, answer=AnswerGroup.SILENT).to_audience()
    ),
    "mails": lambda session, _: overview.read_mailings(session, SYSTEM),
    "mail log": lambda session, _: mail_listing.read_page(session, SYSTEM, MailLogQuery()),
    "planned mails": lambda session, _: upcoming_mailings.list_upcoming_mailings(session, SYSTEM),
}


def test_no_screen_asks_more_of_a_large_club(club: str, at: Callable[[str], datetime]) -> None:
    at("2026-11-20T10:00")
    costs = {}
    for count in (FEW, MANY):
        with transaction() as session:
            known = _grow_to(session, count)
        costs[count] = {name: _count_queries(screen, known) for name, screen in SCREENS.items()}
    assert costs[MANY] == costs[FEW]
    assert max(costs[MANY].values()) <= MOST_QUERIES


def _count_queries(screen: Callable[[Session, Club], Any], known: Club) -> int:
    with reading() as session, counted() as queries:
        screen(session, known)
    return len(queries)


def _grow_to(session: Session, count: int) -> Club:
    """As many members, invited to the next event and written to, of whom every third has said yes."""
    event = session.exec(select(Event)).first() or add_event(
        session, status="confirmed", invitation_sent=True, has_lunch=True, date=clock.now() + timedelta(days=20)
    )
    company = session.exec(select(Company)).first() or add_company(session)
    begun = len(session.exec(select(col(Member.id))).all())
    stamps = {"created_at": clock.now(), "updated_at": clock.now()}
    people: list[dict[str, Any]] = [
        {"id": new_id(), "name": f"Jeanne Dupont {number}", "email": f"m{number}@club.example", "company": company.name}
        | ({"company_id": company.id} if number < FEW else {})
        | stamps
        for number in range(begun, count)
    ]
    session.connection().execute(insert(Member), people)
    invited = [
        {
            "id": new_id(),
            "event_id": event.id,
            "member_id": person["id"],
            "response_token": person["id"],
            "will_attend": None if number % 3 else True,
        }
        | stamps
        for number, person in enumerate(people)
    ]
    session.connection().execute(insert(EventReservation), invited)
    mails = [
        {
            "id": new_id(),
            "key": row["id"],
            "kind": INVITATION,
            "recipient": "m@club.example",
            "member_id": row["member_id"],
            "event_id": event.id,
            "state": MailState.SENT,
            "available_at": clock.now(),
            "sent_at": clock.now(),
        }
        | stamps
        for row in invited
    ]
    session.connection().execute(insert(OutboxMail), mails)
    return Club(event.id, people[0]["id"], company.id)
