"""What administrators see of events: the calendar, the list of those to come, and the detail of one."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.mail.messages import invitation_and_reminders
from clubapp.mail.messages.invitation_and_reminders import INVITATION
from clubapp.models import MailState, OutboxMail
from clubapp.services.attendance import attendee_list
from clubapp.services.events import admin_views, editing, meeting_page, season_list
from clubapp.services.events.form import STATUSES, SpeakerForm
from clubapp.services.mailings import overview as mailings
from clubapp.services.today import next_meeting
from tests.factories import add_event, add_member, add_reservation
from tests.services.events.event_forms import HELENE, TYPED, save

pytestmark = pytest.mark.usefixtures("in_november_2026")


def test_the_calendar_shows_every_event_three_hours_long_on_the_clubs_clock(club: str) -> None:
    save(replace(TYPED, date="2027-03-27T23:30", status="cancelled"))
    with reading() as session:
        (entry,) = admin_views.list_calendar(session, HELENE)
    assert (entry.start, entry.status, entry.status_label) == ("2027-03-27T23:30", "cancelled", "Annulé")
    assert entry.end == "2027-03-28T03:30"  # three hours, over the hour that does not exist


def test_an_event_stays_in_the_upcoming_list_until_it_ends(club: str, at: Callable[[str], datetime]) -> None:
    with transaction() as session:
        begins = at("2026-11-20T11:00")
        add_event(session, title="De trois heures", date=begins)
        add_event(session, title="D’une heure", date=begins + timedelta(days=30), ends_at=begins + timedelta(30, 3600))

    def listed() -> list[tuple[str, bool]]:
        with reading() as session:
            return [(row.title, row.is_running) for row in admin_views.list_upcoming_events(session, HELENE).rows]

    later = ("D’une heure", False)
    for moment, first in (("10:59:59", False), ("11:00", True), ("13:59:59", True)):
        at(f"2026-11-20T{moment}")
        assert listed() == [("De trois heures", first), later]
    at("2026-11-20T14:00")
    assert listed() == [later]
    at("2026-12-20T11:59:59")
    assert listed() == [("D’une heure", True)]
    at("2026-12-20T12:00")
    assert listed() == []


def test_who_comes_and_has_not_answered_for_lunch_is_told_on_screen_and_in_the_reminder(
    club: str, at: Callable[[str], datetime]
) -> None:
    at("2026-11-20T10:00")
    with transaction() as session:
        event = add_event(session, date=clock.now() + timedelta(days=3))
        decided, _ = add_reservation(session, event, add_member(session), will_attend=True, with_lunch=True)
        silent, _ = add_reservation(session, event, add_member(session, "Luc", "luc@club.example"), will_attend=True)
        shown = admin_views.read_detail(session, HELENE, event.id)
        told = [invitation_and_reminders.describe_answer(event, one) for one in (decided, silent)]
    assert (shown.total_meals, shown.undecided) == (
        1,
        "1 personne attendue n’a pas encore répondu pour le déjeuner",
    )
    assert told == ["Vous venez, et vous déjeunez avec nous", "Vous venez, déjeuner à préciser"]


def test_an_event_that_is_over_before_its_hour_is_listed_no_more(club: str, at: Callable[[str], datetime]) -> None:
    with transaction() as session:
        add_event(session, title="Close", date=at("2026-11-20T11:00"), status="completed")
    at("2026-11-20T11:55")
    with reading() as session:
        assert admin_views.list_upcoming_events(session, HELENE).rows == ()


def test_a_draft_is_called_so_wherever_its_status_is_shown(club: str) -> None:
    saved = save(replace(TYPED, status="draft"))
    with reading() as session:
        (entry,) = admin_views.list_calendar(session, HELENE)
        (row,) = admin_views.list_upcoming_events(session, HELENE).rows
        (card,) = season_list.list_season(session, HELENE, "2027-01-01").cards
        (mails,) = mailings.read_mailings(session, HELENE).events
        coming = next_meeting.build_card(session, next_meeting.read_coming(session))
        found = (
            *(entry, row, card, mails, coming),
            admin_views.read_detail(session, HELENE, saved),
            meeting_page.read_meeting(session, HELENE, saved).meeting,
        )
    assert coming.is_ahead
    assert {shown.status_label for shown in found} == {dict(STATUSES)["draft"]} == {"Brouillon"}


def test_the_upcoming_list_says_how_many_messages_were_refused(club: str) -> None:
    now = clock.now()
    with transaction() as session:
        event_id = add_event(session, invitation_sent=True).id
        for state in (MailState.FAILED, MailState.SENT):
            times: Any = {"available_at": now, "created_at": now, "updated_at": now}
            session.add(OutboxMail(key=state, kind=INVITATION, event_id=event_id, state=state, **times))
    with reading() as session:
        (row,) = admin_views.list_upcoming_events(session, HELENE).rows
    assert (row.sending, row.failed) == ("1 message envoyé sur 2", "1 en échec")


def test_the_upcoming_list_holds_future_events_that_are_not_cancelled(club: str) -> None:
    with transaction() as session:
        add_event(session, title="Passé", date=clock.now() - timedelta(hours=3, minutes=1))
        add_event(session, title="Annulé", status="cancelled")
    save(replace(TYPED, speakers=(SpeakerForm("Zoé Fauconnier"), SpeakerForm("Éric Lemoine"))))
    with reading() as session:
        (row,) = admin_views.list_upcoming_events(session, HELENE).rows
    assert (row.title, row.date, row.location) == ("Matinale d'hiver", "jeudi 14 janvier 2027 à 12:00", "Valenciennes")
    assert row.speakers == "Zoé Fauconnier, Éric Lemoine"


def test_the_calendar_reads_thirteen_months_around_the_one_it_is_asked_for(club: str) -> None:
    with transaction() as session:
        for number in range(60):
            year, month = divmod(number, 12)
            moment = clock.from_local(f"{2030 + year}-{month + 1:02}-15T12:00")
            add_event(session, title=str(number), date=moment, status="cancelled" if number % 2 else "confirmed")
    with reading() as session:
        around = [int(entry.title) for entry in admin_views.list_calendar(session, HELENE, "2032-05")]
        assert around == list(range(28 - 13, 28 + 14))
        assert admin_views.list_calendar(session, HELENE, "2050-01") == ()


def test_the_upcoming_list_begins_with_sixty_and_says_whether_there_are_more(club: str) -> None:
    with transaction() as session:
        for number in range(62):
            add_event(session, title=str(number), date=clock.now() + timedelta(days=31 * (number + 1)))
    with reading() as session:
        first, all_of_them = (
            admin_views.list_upcoming_events(session, HELENE),
            admin_views.list_upcoming_events(session, HELENE, 120),
        )
    assert ([row.title for row in first.rows], first.has_more) == ([str(number) for number in range(60)], True)
    assert (len(all_of_them.rows), all_of_them.has_more) == (62, False)


def test_the_detail_counts_the_answers_and_is_all_zero_without_any(club: str) -> None:
    event_id = save(replace(TYPED, max_participants="44"))
    with reading() as session:
        shown = admin_views.read_detail(session, HELENE, event_id)
    assert shown.stats == admin_views.Figures()
    assert (shown.capacity, shown.can_send) == ("0 / 44 places", True)
    with transaction() as session:
        event = editing.find_event(session, event_id)
        yes = {"will_attend": True, "with_lunch": True, "guest_count": 2}
        add_reservation(session, event, add_member(session), **yes)
        add_reservation(session, event, add_member(session, "Éric", "eric@lemoine.example"), will_attend=False)
    with reading() as session:
        shown = admin_views.read_detail(session, HELENE, event_id)
    assert shown.stats == admin_views.Figures(2, 1, 1, 0, 1, 2)
    assert (shown.capacity, shown.taken) == ("3 / 44 places", 3)
    assert shown.places == "1 membre, 2 invités, 41 libres"


def test_of_a_past_event_only_what_was_said_is_known(club: str) -> None:
    with transaction() as session:
        past, coming = (add_event(session, date=clock.now() + timedelta(days=days)).id for days in (-40, 40))
    with reading() as session:
        shown = [admin_views.read_detail(session, HELENE, event_id) for event_id in (past, coming)]
        groups = [attendee_list.list_people(session, HELENE, event_id).groups for event_id in (past, coming)]
    assert [(one.attending_label, one.declined_label) for one in shown] == [
        ("Ont dit oui", "Ont dit non"),
        ("Présents", "Absents"),
    ]
    for one, listed in zip(shown, groups, strict=True):
        assert {one.attending_label, one.declined_label} <= {group.label for group in listed}


@pytest.mark.parametrize(("status", "sent", "offered"), [
    ("draft", False, True), ("draft", True, False), ("confirmed", False, False), ("cancelled", False, False),
])  # fmt: skip
def test_the_dialog_offers_sending_for_an_unsent_draft(club: str, status: str, sent: bool, offered: bool) -> None:
    with transaction() as session:
        event_id = add_event(session, status=status, invitation_sent=sent).id
    with reading() as session:
        assert admin_views.read_detail(session, HELENE, event_id).can_send is offered


@pytest.mark.parametrize(
    ("status", "days", "shown"),
    [
        ("confirmed", 6, True),
        ("confirmed", 8, False),
        ("completed", -40, True),
        ("draft", 1, False),
        ("cancelled", -1, False),
    ],
)
def test_the_dialog_leads_to_the_arrivals_of_an_event_that_is_near_or_past(
    club: str, status: str, days: int, shown: bool
) -> None:
    with transaction() as session:
        event_id = add_event(session, date=clock.now() + timedelta(days=days), status=status).id
    with reading() as session:
        address = admin_views.read_detail(session, HELENE, event_id).arrivals
    assert address == (f"/admin/events/{event_id}/accueil" if shown else "")
