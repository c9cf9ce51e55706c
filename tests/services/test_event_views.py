"""What administrators see of events: the calendar, the list of those to come, and the detail of one."""

from dataclasses import replace
from datetime import timedelta

import pytest

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.services import event_views, events
from clubapp.services.event_form import SpeakerForm
from tests.factories import add_event, add_member, add_reservation
from tests.services.event_forms import HELENE, TYPED, save

pytestmark = pytest.mark.usefixtures("in_november_2026")


def test_the_calendar_shows_every_event_three_hours_long_on_the_clubs_clock(club: str) -> None:
    save(replace(TYPED, date="2027-03-27T23:30", status="cancelled"))
    with reading() as session:
        (entry,) = event_views.calendar(session, HELENE)
    assert (entry.start, entry.status, entry.status_label) == ("2027-03-27T23:30", "cancelled", "Annulé")
    assert entry.end == "2027-03-28T03:30"  # three hours, over the hour that does not exist


def test_the_upcoming_list_holds_future_events_that_are_not_cancelled(club: str) -> None:
    with transaction() as session:
        add_event(session, title="Passé", date=clock.now() - timedelta(minutes=1))
        add_event(session, title="Annulé", status="cancelled")
    save(replace(TYPED, speakers=(SpeakerForm("Zoé Fauconnier"), SpeakerForm("Éric Lemoine"))))
    with reading() as session:
        (row,) = event_views.upcoming(session, HELENE)
    assert (row.title, row.date, row.location) == ("Matinale d'hiver", "jeudi 14 janvier 2027 à 12:00", "Valenciennes")
    assert row.speakers == "Zoé Fauconnier, Éric Lemoine"


def test_the_detail_counts_the_answers_and_is_all_zero_without_any(club: str) -> None:
    event_id = save(replace(TYPED, max_participants="44"))
    with reading() as session:
        shown = event_views.detail(session, HELENE, event_id)
    assert shown.stats == event_views.Figures()
    assert (shown.capacity, shown.can_send) == ("0 / 44 participants", True)
    with transaction() as session:
        event = events.find(session, event_id)
        yes = {"will_attend": True, "with_lunch": True, "guest_count": 2}
        add_reservation(session, event, add_member(session), **yes)
        add_reservation(session, event, add_member(session, "Éric", "eric@lemoine.example"), will_attend=False)
    with reading() as session:
        shown = event_views.detail(session, HELENE, event_id)
    assert shown.stats == event_views.Figures(2, 1, 1, 0, 1, 2)
    assert shown.capacity == "1 / 44 participants"


@pytest.mark.parametrize(("status", "sent", "offered"), [
    ("draft", False, True), ("draft", True, False), ("confirmed", False, False), ("cancelled", False, False),
])  # fmt: skip
def test_the_dialog_offers_sending_for_an_unsent_draft(club: str, status: str, sent: bool, offered: bool) -> None:
    with transaction() as session:
        event_id = add_event(session, status=status, invitation_sent=sent).id
    with reading() as session:
        assert event_views.detail(session, HELENE, event_id).can_send is offered
