"""The demo club is believable, the same each time, and never mixed with a real one."""

import re
import shutil
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from sqlmodel import Session, SQLModel, col, select

from clubapp import clock, tokens
from clubapp.database import reading, transaction
from clubapp.infra import image_store
from clubapp.models import (
    DOMAINS,
    Admin,
    Company,
    EmailReminderSetting,
    EmailSignature,
    Event,
    EventReservation,
    EventSpeaker,
    EventStatus,
    Member,
)
from clubapp.refusals import Conflict
from clubapp.services import demo
from clubapp.services.attendance.people import list_people
from clubapp.services.attendance.turnout import count_turnout
from clubapp.services.demo.names import MEN, WOMEN
from clubapp.services.demo.trades import ROLES
from tests.conftest import forget_settings, installation, on_sqlite
from tests.factories import add_member
from tests.statements import counted

FEW_PEOPLE = {"members": 8, "companies": 5}


def everything(session: Session) -> dict[str, list[str]]:
    """Every row of every table."""
    return {
        table.name: sorted(map(str, session.connection().execute(table.select()).all()))
        for table in SQLModel.metadata.sorted_tables
    }


def load(**given: int) -> demo.LoadedClub:
    with transaction() as session:
        return demo.load_club(session, **given)


@pytest.fixture(scope="module")
def loaded(migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with the club and its pictures."""
    data = tmp_path_factory.mktemp("demo")
    shutil.copy(migrated_sqlite, data / "club.sqlite3")
    with pytest.MonkeyPatch.context() as patch, installation(patch, data):
        load()
    return data


@pytest.fixture
def demo_club(environment: pytest.MonkeyPatch, loaded: Path) -> None:
    """The club, for whoever only reads it."""
    environment.setenv("CLUB_DATA_DIR", str(loaded))
    forget_settings()


def test_sixty_members_forty_five_companies_fourteen_events(club: str) -> None:
    assert load() == demo.LoadedClub(60, 45, 14, "helene.caudrelier@beffroi.example")


def test_everyone_can_be_written_to(demo_club: None) -> None:
    with reading() as session:
        members = session.exec(select(Member)).all()
    assert len({member.email for member in members if member.email and member.email.endswith(".example")}) == 60
    assert all(member.is_active and member.opted_out_at is None for member in members)


def test_the_members_differ_as_real_ones_do(demo_club: None) -> None:
    with reading() as session:
        members = session.exec(select(Member)).all()
    assert any(member.company_id is None and not member.company for member in members)
    assert any(not member.phone for member in members)
    assert any(not member.description for member in members)
    assert any(not member.expertise for member in members)
    assert any(len(member.name) > 45 for member in members)
    assert any(len(member.role) > 80 for member in members)
    photographed = [member.image_url for member in members if member.image_url]
    assert len(photographed) == len(set(photographed)) == 40
    assert all(image_store.exists(image_store.path_in(address)) for address in photographed)
    assert len({member.name for member in members}) == 60
    for member in members:
        men, women = ([roles[of] for roles in ROLES if len(set(roles)) == 2] for of in (0, 1))
        first = member.name.split()[0]
        assert not (first in (*MEN, "Jean-Christophe") and member.role in women), member.name
        assert not (first in WOMEN and member.role in men), member.name


def test_members_carry_the_name_and_domain_of_their_company(demo_club: None) -> None:
    with reading() as session:
        companies = {company.id: company for company in session.exec(select(Company))}
        members = session.exec(select(Member)).all()
    assert {company.activity_domain for company in companies.values()} == set(DOMAINS)
    assert len({company.name for company in companies.values()}) == 45
    for member in members:
        if member.company_id:
            assert member.company == companies[member.company_id].name
            assert member.activity_domain in (companies[member.company_id].activity_domain, "")


def test_events_stand_in_all_four_states_with_free_months_ahead(demo_club: None) -> None:
    with reading() as session:
        events = session.exec(select(Event)).all()
        speakers = Counter(session.exec(select(EventSpeaker.event_id)))
    assert {event.status for event in events} == set(EventStatus)
    assert all(speakers[event.id] >= 1 for event in events)
    now = clock.now()
    assert all((event.date < now) == (event.status == "completed") for event in events if event.status != "cancelled")
    taken = {event.month for event in events if event.status != EventStatus.CANCELLED}
    coming = sorted(month for month in taken if month > clock.month_of(now))
    assert len(coming) == 4
    assert coming[-1] > coming[0]


@on_sqlite
@pytest.mark.parametrize("month", range(1, 13))
def test_what_an_event_promises_fits_its_hour(club: str, at: Callable[[str], datetime], month: int) -> None:
    at(f"2027-{month:02}-06T09:00")
    load(**FEW_PEOPLE, events=26)
    with reading() as session:
        events = session.exec(select(Event)).all()
    assert {clock.to_local(event.date).hour for event in events} == {8, 12, 18}
    for event in events:
        told, hour = f"{event.title} {event.description}".lower(), clock.to_local(event.date).hour
        assert hour == 18 or not re.search(r"soir|dîner", told), event.title
        assert hour == 8 or not re.search(r"matin|petit.d", told), event.title
        assert event.has_lunch is (hour == 12)
        assert hour == 12 or "midi" not in told


def test_past_events_were_answered_and_their_links_can_be_rebuilt(demo_club: None) -> None:
    with reading() as session:
        events = {event.id: event for event in session.exec(select(Event))}
        answers = session.exec(select(EventReservation)).all()
    past = [answer for answer in answers if events[answer.event_id].status == "completed"]
    assert {answer.will_attend for answer in past} == {True, False, None}
    assert all(answer.guest_count == 0 for answer in answers if not answer.will_attend)
    assert all(answer.with_lunch is None for answer in answers if not events[answer.event_id].has_lunch)
    assert all((answer.responded_at is None) == (answer.will_attend is None) for answer in answers)
    assert all(tokens.rebuild("answer", answer.id, answer.response_token) for answer in answers[:20])


def test_most_of_those_who_said_yes_came_and_guests_have_names(demo_club: None) -> None:
    with reading() as session:
        closed = session.exec(select(Event).where(col(Event.doors_closed_at).is_not(None))).all()
        turnouts = [count_turnout(session, event) for event in closed]
        people = [person for event in closed for person in list_people(session, event.id)]
    assert {event.status for event in closed} == {"completed"}
    assert all(one.arrived > one.no_show for one in turnouts)
    assert sum(one.no_show for one in turnouts) > 0
    assert {person.is_named for person in people if person.is_guest} == {True, False}


def test_mail_settings_are_there(demo_club: None) -> None:
    with reading() as session:
        timing = {row.reminder_type: row for row in session.exec(select(EmailReminderSetting))}
        assert session.exec(select(EmailSignature)).one().sender_name == "Hélène Caudrelier"
    assert {kind: (row.days_before, row.is_active, row.to_unanswered) for kind, row in timing.items()} == {
        "event_invitation": (30, False, False),
        "event_reminder_1": (14, True, False),
        "event_reminder_2": (7, True, False),
    }
    assert not any(row.template_subject or row.template_content for row in timing.values())


def test_one_administrator_is_a_member_too(demo_club: None) -> None:
    with reading() as session:
        admins = set(session.exec(select(Admin.email)))
        members = set(session.exec(select(Member.email)))
    assert admins == {demo.ADMIN_EMAIL, demo.SECOND_ADMIN_EMAIL}
    assert admins & members == {demo.SECOND_ADMIN_EMAIL}
    assert demo.MEMBER_EMAIL in members


@on_sqlite
def test_the_same_seed_on_the_same_day_makes_the_same_club(
    environment: pytest.MonkeyPatch, club: str, at: Callable[[str], datetime]
) -> None:
    seen = []
    for moment, seed in (("2026-11-20T08:00", 1), ("2026-11-20T19:00", 1), ("2026-11-20T19:00", 2)):
        at(moment)
        with transaction() as session:
            demo.load_club(session, seed=seed)
            seen.append(everything(session))
            session.rollback()
    assert seen[0] == seen[1]
    assert seen[0]["members"] != seen[2]["members"]


@on_sqlite
@pytest.mark.parametrize("moment", ["2026-01-01T00:30", "2026-03-31T23:00", "2028-02-29T12:00", "2026-12-31T22:59"])
def test_any_day_of_the_year_will_do(club: str, at: Callable[[str], datetime], moment: str) -> None:
    at(moment)
    assert load(**FEW_PEOPLE, events=30).events == 30


def test_a_club_with_members_is_left_alone(club: str) -> None:
    with transaction() as session:
        add_member(session)
    with pytest.raises(Conflict):
        load()
    with reading() as session:
        assert len(session.exec(select(Member)).all()) == 1


def test_a_large_club_is_loaded_table_by_table_calls_nobody_and_has_room_for_those_who_come(club: str) -> None:
    with counted() as statements:
        assert load(members=300).members == 300
    assert len(statements) < 40, "not row by row"
    with reading() as session:
        numbers = [*session.exec(select(Member.phone)), *session.exec(select(Company.phone))]
        assert {number[:8] for number in numbers if number} == {"03 53 01", "06 39 98"}, "numbers that nobody has"
        events = session.exec(select(Event)).all()
        for event in events:
            mine = session.exec(select(EventReservation).where(EventReservation.event_id == event.id)).all()
            coming = sum(1 + answer.guest_count for answer in mine if answer.will_attend)
            assert coming <= (event.max_participants or coming)
    assert any(event.max_participants for event in events)
