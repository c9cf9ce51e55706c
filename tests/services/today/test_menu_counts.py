"""The figures of the menu: what they count, where the shortcuts lead, and with how many statements."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from clubapp import clock, routes
from clubapp.database import reading, transaction
from clubapp.models import MailState, OutboxMail
from clubapp.refusals import Forbidden
from clubapp.services.base.actors import SYSTEM, VISITOR
from clubapp.services.today import day, menu_counts
from clubapp.services.today.menu_counts import MenuCounts
from tests.factories import add_admin, add_company, add_event, add_member, add_reservation
from tests.statements import counted


@pytest.fixture
def december(club: str, at: Callable[[str], object]) -> str:
    """An event of 10 December to which two are invited, on the morning of the 2nd; another was cancelled."""
    at("2026-12-02T09:00")
    with transaction() as session:
        add_admin(session, "helene@beffroi.example")
        add_company(session, "Maës Numérique")
        date = clock.from_local("2026-12-10T12:00")
        event = add_event(session, "Les réussites", date, status="confirmed", invitation_sent=True)
        add_event(session, "Annulée", clock.from_local("2027-01-14T12:00"), status="cancelled")
        add_event(session, "Passée", clock.from_local("2026-11-12T12:00"), status="completed")
        for number in range(2):
            member = add_member(session, f"Membre {number}", f"m{number}@x.example", image_url="/media/x.jpg")
            add_reservation(session, event, member, **({"will_attend": True} if number else {}))
        add_member(session, "Partie", "partie@x.example", is_active=False)
        return event.id


def count() -> MenuCounts:
    with reading() as session:
        return menu_counts.count_menu(session, SYSTEM)


def test_only_administrators_are_told(club: str) -> None:
    with reading() as session, pytest.raises(Forbidden):
        menu_counts.count_menu(session, VISITOR)


def test_an_empty_club_has_its_list_to_make_and_its_shortcuts_lead_to_the_events(club: str) -> None:
    assert count() == MenuCounts(tasks=1)
    assert (MenuCounts().meeting_href, MenuCounts().calls_href) == (routes.ADMIN_EVENTS, f"{routes.ADMIN_EVENTS}#")


def test_what_is_to_come_active_and_silent_is_counted(december: str) -> None:
    found = count()
    assert (found.events, found.members, found.companies, found.administrators) == (1, 2, 1, 1)
    assert (found.silent, found.failures) == (1, 0)
    assert found.calls_href == routes.calling_list(december)


def test_the_tasks_are_those_of_the_page_of_the_day(december: str) -> None:
    with transaction() as session:
        shown = day.open_day(session, SYSTEM).tasks
    assert shown
    assert count().tasks == len(shown)


def test_messages_refused_in_the_last_fortnight_are_failures(december: str) -> None:
    now = clock.now()
    with transaction() as session:
        for days, state in ((1, MailState.FAILED), (15, MailState.FAILED), (1, MailState.SENT)):
            when = now - timedelta(days=days)
            key = f"{state}{days}"
            session.add(
                OutboxMail(key=key, kind="test", state=state, available_at=when, created_at=when, updated_at=when)
            )
    assert count().failures == 1


def test_a_larger_club_takes_no_more_statements(december: str) -> None:
    with counted() as few:
        count()
    with transaction() as session:
        for number in range(60):
            add_member(session, f"Autre {number}", f"a{number}@x.example")
    with counted() as many:
        count()
    assert len(many) == len(few) <= 12
