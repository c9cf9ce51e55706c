"""Administrators see what will go out by itself, and have their hand on it."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

import pytest
from sqlmodel import select

from clubapp import routes
from clubapp.database import reading, transaction
from clubapp.jobs import schedule
from clubapp.models import Event, EventStatus, OutboxMail, PlannedMailing, ReminderType
from clubapp.refusals import Conflict, Forbidden, NotFound, ProofRequired
from clubapp.services.base.actors import SYSTEM, VISITOR, Actor
from clubapp.services.events import mailing_schedule, meeting_mails
from clubapp.services.events.stages import DAY_TAB
from clubapp.services.reminders import dispatch, dry_run, upcoming_mailings
from clubapp.services.reminders.upcoming_mailings import PlannedRow, UpcomingMailings
from tests.factories import add_event, add_member, add_reservation
from tests.services.events.planned_mailings import (
    change,
    local,
    make_event,
    queued,
    reason,
    setting,
    states,
    switch,
    tick,
)

FIRST = ReminderType.FIRST
ADMIN = Actor(email="helene@beffroi.example", is_admin=True)


def agenda() -> UpcomingMailings:
    with reading() as session:
        return upcoming_mailings.list_upcoming_mailings(session, ADMIN)


def first() -> PlannedRow:
    return agenda().coming[0]


def act(service: Callable[..., object], mailing_id: str) -> object:
    with transaction() as session:
        return service(session, ADMIN, mailing_id)


@pytest.mark.parametrize(
    "call",
    [
        lambda session: upcoming_mailings.list_upcoming_mailings(session, VISITOR),
        lambda session: upcoming_mailings.suspend_mailing(session, VISITOR, "x"),
        lambda session: upcoming_mailings.release_mailing(session, VISITOR, "x"),
        lambda session: upcoming_mailings.send_mailing_now(session, VISITOR, "x"),
        lambda session: dry_run.forecast_due(session, VISITOR, datetime.now().astimezone()),
    ],
)
def test_only_administrators_see_and_hold_them(club: str, call: Callable[..., object]) -> None:
    with transaction() as session, pytest.raises(Forbidden):
        call(session)


def test_the_next_thirty_days_are_told_with_their_numbers(club: str, at: Callable[[str], datetime]) -> None:
    at("2026-10-10T10:00")
    make_event("2026-11-12T18:30")
    make_event("2026-12-10T18:30")
    found = agenda()
    assert [(row.name, row.due) for row in found.coming] == [
        ("1re relance", "jeudi 29 octobre 2026 à 09:00"),
        ("2e relance", "jeudi 5 novembre 2026 à 09:00"),
    ]
    assert [row.sentence for row in found.coming] == ["1 membre\u00a0: 1 inscrit", "1 membre\u00a0: 1 inscrit"]
    assert found.later == "Ensuite, le premier envoi est prévu le jeudi 26 novembre 2026 à 09:00."
    assert found.missed == ()


def test_what_was_due_is_being_sent_and_then_late(club: str, at: Callable[[str], datetime]) -> None:
    at("2026-10-10T10:00")
    make_event("2026-11-12T18:30")
    found = []
    for now in ("2026-10-29T07:59", "2026-10-29T08:01", "2026-10-29T08:10"):
        at(now)
        found.append((first().state_label, first().tone))
    assert found == [("Prévu", "green"), ("En cours d’envoi", "green"), ("En retard", "amber")]


def test_an_event_with_an_end_of_its_own_is_told_with_it(club: str, at: Callable[[str], datetime]) -> None:
    at("2026-10-10T10:00")
    event = make_event("2026-11-12T18:30")
    with transaction() as session:
        session.get_one(Event, event.id).ends_at = local("2026-11-12T20:00")
    with reading() as session:
        forecast = dry_run.forecast_due(session, ADMIN, local("2026-10-29T09:00"))
    told = "jeudi 12 novembre 2026, de 18:30 à 20:00"
    assert {row.event_date for row in agenda().coming} == {told}
    assert [row.event.endswith(f", {told}") for row in forecast] == [True]


def test_the_numbers_to_the_caterer_are_told_among_the_mailings(club: str, at: Callable[[str], datetime]) -> None:
    at("2026-10-20T10:00")
    event = make_event("2026-11-12T18:30")
    with transaction() as session:
        held = session.get_one(Event, event.id)
        held.caterer_email, held.host_email = "traiteur@x.example", "hote@x.example"
    *mails, numbers = agenda().coming
    assert [row.name for row in mails] == ["1re relance", "2e relance"]
    assert (numbers.name, numbers.due) == ("Nombres", "lundi 9 novembre 2026 à 09:00")
    assert (numbers.sentence, numbers.can_send) == ("Destinataires\u00a0: traiteur et hôte", False)
    assert numbers.text_href == routes.event_tab(event.id, DAY_TAB)


def test_with_nothing_planned_the_agenda_is_empty(club: str) -> None:
    assert agenda() == UpcomingMailings()


def test_what_waits_for_invitations_or_a_confirmation_says_so(club: str, at: Callable[[str], datetime]) -> None:
    at("2026-10-10T10:00")
    setting(ReminderType.INVITATION, days_before=30, is_active=True)
    make_event("2026-11-12T18:30", status="draft", invitation_sent=False)
    notes = {row.name: (row.note, row.can_send) for row in agenda().coming}
    assert notes["Invitation"] == ("Partira seulement si l’événement est confirmé d’ici là.", True)
    assert notes["1re relance"] == ("Partira seulement si les invitations sont envoyées d’ici là.", False)


def test_a_suspended_mailing_waits_and_goes_once_resumed_in_time(club: str, at: Callable[[str], datetime]) -> None:
    at("2026-10-10T10:00")
    event = make_event("2026-11-12T18:30")
    mailing_id = first().id
    act(upcoming_mailings.suspend_mailing, mailing_id)
    assert (first().state_label, first().can_suspend, first().can_resume) == ("Suspendu", False, True)
    tick(at, local("2026-10-29T09:00"))
    assert queued(event) == []
    act(upcoming_mailings.release_mailing, mailing_id)
    tick(at, local("2026-10-29T15:00"))
    assert len(queued(event)) == 1
    with pytest.raises(Conflict):
        act(upcoming_mailings.suspend_mailing, mailing_id)


CANCELLED, CONFIRMED = {"status": EventStatus.CANCELLED}, {"status": EventStatus.CONFIRMED}
LATER = CONFIRMED | {"date": local("2026-12-03T18:30")}


def suspended(at: Callable[[str], datetime]) -> Event:
    """An event in November whose first reminder is suspended in October."""
    at("2026-10-10T10:00")
    event = make_event("2026-11-12T18:30")
    act(upcoming_mailings.suspend_mailing, first().id)
    return event


@pytest.mark.parametrize("is_cancelled", [True, False], ids=["cancelled", "switched off"])
def test_a_suspended_mailing_that_is_wanted_again_stays_suspended_until_it_is_resumed(
    club: str, at: Callable[[str], datetime], *, is_cancelled: bool
) -> None:
    at("2026-10-10T10:00")
    setting(FIRST, days_before=14, is_active=True)
    event = make_event("2026-11-12T18:30")
    mailing_id = first().id
    act(upcoming_mailings.suspend_mailing, mailing_id)
    unwanted = mailing_schedule.CANCELLED if is_cancelled else mailing_schedule.INACTIVE
    change(event, **CANCELLED) if is_cancelled else switch(FIRST, is_active=False)
    assert (states(event)["reminder_1"], reason(event, FIRST)) == ("suspended", unwanted)
    assert [row.note for row in agenda().coming if row.id == mailing_id] == ([] if is_cancelled else [unwanted])
    change(event, **CONFIRMED) if is_cancelled else switch(FIRST, is_active=True)
    assert (first().id, first().state_label, first().note, first().can_resume) == (mailing_id, "Suspendu", "", True)
    tick(at, local("2026-10-29T09:00"))
    assert queued(event) == []
    act(upcoming_mailings.release_mailing, mailing_id)
    tick(at, local("2026-10-29T09:01"))
    assert len(queued(event)) == 1


def test_a_suspended_mailing_of_a_cancelled_event_is_still_suspended_when_the_event_comes_later(
    club: str, at: Callable[[str], datetime]
) -> None:
    event = suspended(at)
    change(event, **CANCELLED)
    tick(at, local("2026-10-29T09:00"))
    with reading() as session:
        texts = {text.key: text for text in meeting_mails.read_mails(session, ADMIN, event.id).texts}
    told = texts["reminder_1"]
    assert (told.state_label, told.detail) == ("Suspendu", mailing_schedule.CANCELLED)
    change(event, **LATER)
    assert states(event)["reminder_1"] == "suspended"
    tick(at, local("2026-11-19T09:00"))
    assert [kind for kind, _ in queued(event)] == []


def test_resuming_what_is_not_wanted_drops_it(club: str, at: Callable[[str], datetime]) -> None:
    at("2026-10-10T10:00")
    setting(FIRST, days_before=14, is_active=True)
    event = make_event("2026-11-12T18:30")
    mailing_id = first().id
    act(upcoming_mailings.suspend_mailing, mailing_id)
    switch(FIRST, is_active=False)
    act(upcoming_mailings.release_mailing, mailing_id)
    assert (states(event)["reminder_1"], reason(event, FIRST)) == ("dropped", mailing_schedule.INACTIVE)


def test_a_suspended_mailing_of_an_event_that_did_not_take_place_ends_with_it(
    club: str, at: Callable[[str], datetime]
) -> None:
    event = suspended(at)
    change(event, **CANCELLED)
    tick(at, local("2026-11-12T18:30"))
    assert states(event)["reminder_1"] == "dropped"


def test_a_mailing_suspended_too_long_is_missed_and_can_still_be_sent_by_hand(
    club: str, at: Callable[[str], datetime]
) -> None:
    at("2026-10-10T10:00")
    event = make_event("2026-11-12T18:30")
    act(upcoming_mailings.suspend_mailing, first().id)
    tick(at, local("2026-10-31T09:00"))
    (missed,) = agenda().missed
    assert (missed.note, missed.can_send) == (dispatch.SUSPENDED, True)
    assert act(upcoming_mailings.send_mailing_now, missed.id) == 1
    assert len(queued(event)) == 1
    assert states(event)["reminder_1"] == "done"
    with pytest.raises(Conflict):
        act(upcoming_mailings.send_mailing_now, missed.id)
    assert agenda().missed == ()


def test_nothing_is_sent_by_hand_for_an_event_that_will_not_be(club: str, at: Callable[[str], datetime]) -> None:
    at("2026-10-10T10:00")
    event = make_event("2026-11-12T18:30")
    uninvited = make_event("2026-12-10T18:30", invitation_sent=False)
    mailing_id = first().id
    with transaction() as session:
        session.get_one(Event, event.id).status = EventStatus.CANCELLED
    with pytest.raises(Conflict, match="plus à venir"):
        act(upcoming_mailings.send_mailing_now, mailing_id)
    at("2026-11-20T10:00")
    (reminder, _) = agenda().coming
    assert reminder.event == uninvited.title
    with pytest.raises(Conflict, match="pas encore parties"):
        act(upcoming_mailings.send_mailing_now, reminder.id)
    with pytest.raises(NotFound):
        act(upcoming_mailings.send_mailing_now, "no-such-mailing")


def test_the_forecast_tells_the_future_and_changes_nothing(club: str, at: Callable[[str], datetime]) -> None:
    at("2026-10-10T10:00")
    event = make_event("2026-11-12T18:30")
    with transaction() as session:
        member = add_member(session, name="Zoé Lefèbvre", email="zoe@lefebvre.example")
        add_reservation(session, event, member, will_attend=False)
        add_member(session, name="Paul Vasseur", email="paul@vasseur.example")
    with reading() as session:
        assert dry_run.forecast_due(session, SYSTEM, local("2026-10-29T08:59")) == ()
        (told,) = dry_run.forecast_due(session, SYSTEM, local("2026-10-29T09:00"))
    assert (told.name, told.reason, len(told.audience.recipients)) == ("1re relance", "", 1)
    reasons = sorted(one.reason for one in told.audience.left_out)
    assert reasons == ["a répondu non", "n’a pas répondu", "n’a pas été invité"]
    assert queued(event) == []


def test_a_later_moment_does_not_call_a_mailing_missed_that_is_still_to_leave(
    club: str, at: Callable[[str], datetime]
) -> None:
    """Fails when the forecast explains it by an outage that nobody has seen."""
    at("2026-10-10T10:00")
    event = make_event("2026-11-12T18:30")
    later = local("2026-11-02T09:00")
    with reading() as session:
        (told,) = dry_run.forecast_due(session, SYSTEM, later)
        assert told.reason.startswith("À ce moment il sera déjà parti")
    at("2026-11-01T10:00")
    with reading() as session:
        (told,) = dry_run.forecast_due(session, SYSTEM, later)
        assert told.reason == dispatch.OUTAGE, "its window has closed: it was missed"
    assert queued(event) == []


def test_a_later_moment_says_what_a_reminder_waits_for(club: str, at: Callable[[str], datetime]) -> None:
    at("2026-10-10T10:00")
    make_event("2026-11-12T18:30", invitation_sent=False)
    with reading() as session:
        told = dry_run.forecast_due(session, SYSTEM, local("2026-11-02T09:00"))
    (reminder,) = [one for one in told if one.name == "1re relance"]
    assert reminder.reason.startswith("Il ne partira que si les invitations sont parties avant le ")


def test_one_broken_mailing_does_not_keep_the_others_back(club: str, at: Callable[[str], datetime]) -> None:
    at("2026-10-10T10:00")
    setting(ReminderType.INVITATION, days_before=30, is_active=True)
    with transaction() as session:
        lonely = add_event(session, date=local("2026-11-12T18:30"), status="confirmed")
        mailing_schedule.plan_mailings(session, lonely)
    at("2026-10-13T07:00")
    schedule.send_planned()  # nobody can be invited
    assert states(lonely)["invitation"] == "missed"
    with reading() as session:
        assert session.exec(select(OutboxMail)).all() == []


def test_one_that_fails_does_not_keep_the_others_back_and_is_told(club: str, at: Callable[[str], datetime]) -> None:
    at("2026-10-10T10:00")
    event, broken = make_event("2026-11-12T18:30"), make_event("2026-12-10T18:30")
    with transaction() as session:
        for moment in ("2026-10-28T09:00", "2026-10-28T10:00"):
            of_no_kind = {"reminder_type": moment, "due_at": local(moment), "updated_at": local(moment)}
            session.add(PlannedMailing(event_id=broken.id, **of_no_kind))
    at("2026-10-29T08:00")
    for _ in range(2):
        with pytest.raises(ValueError, match="2026-10-28T09:00"):
            schedule.send_planned()
    assert states(event)["reminder_1"] == "done"
    assert len(queued(event)) == 1


def test_suspending_needs_no_recent_proof_and_resuming_does(club: str, at: Callable[[str], datetime]) -> None:
    at("2026-11-20T10:00")
    make_event("2026-12-17T12:00")
    stale = replace(ADMIN, needs_proof=True)
    mailing_id = first().id
    with transaction() as session:
        upcoming_mailings.suspend_mailing(session, stale, mailing_id)
    with pytest.raises(ProofRequired), transaction() as session:
        upcoming_mailings.release_mailing(session, stale, mailing_id)
    assert first().can_resume
