"""Invitations: one mailing, to a frozen list that adds up, with everyone left out named."""

import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlmodel import Session, select

from clubapp import clock, tokens
from clubapp.database import reading, transaction
from clubapp.mail.messages.built_in_event_texts import Timing
from clubapp.mail.messages.invitation_and_reminders import INVITATION
from clubapp.models import Act, Event, EventReservation, MailState, Member, OutboxMail, ReminderType
from clubapp.refusals import Conflict, Forbidden, NotFound
from clubapp.services.answers.answer_form import Answer
from clubapp.services.attendance import attendee_detail
from clubapp.services.base.actors import VISITOR, Actor
from clubapp.services.events import admin_views, invitations
from clubapp.services.events.admin_views import Figures
from clubapp.services.events.editing import find_event
from clubapp.services.events.invitations import Excluded, InvitationReport, SendingProgress
from clubapp.services.mailings import previews
from clubapp.services.reminders.recipients import find_recipients
from tests.factories import add_event, add_member
from tests.statements import counted

HELENE = Actor(email="helene@beffroi.example", is_admin=True, session_id="s")
MARIE = Actor(email="marie@durand.example", member_id="m", session_id="t")


@pytest.fixture(autouse=True)
def november(at: Callable[[str], datetime]) -> None:
    at("2026-11-20T10:00")


def an_event(**given: Any) -> str:
    with transaction() as session:
        return add_event(session, **given).id


def members(count: int) -> None:
    with transaction() as session:
        for number in range(count):
            add_member(session, f"Membre {number:03}", f"membre{number}@club.example")


def send(event_id: str, actor: Actor = HELENE) -> InvitationReport:
    with transaction() as session:
        return invitations.send_invitations(session, actor, event_id)


def queued(session: Session) -> list[OutboxMail]:
    return list(session.exec(select(OutboxMail)))


@pytest.mark.parametrize("actor", [VISITOR, MARIE], ids=["visitor", "member"])
def test_only_an_administrator_may_send_or_follow(club: str, actor: Actor) -> None:
    members(1)
    event_id = an_event()
    with pytest.raises(Forbidden):
        send(event_id, actor)
    with pytest.raises(Forbidden), reading() as session:
        invitations.read_progress(session, actor, event_id)
    with reading() as session:
        assert queued(session) == []


def test_every_active_member_gets_a_link_of_their_own_and_a_mail_in_one_transaction(club: str) -> None:
    members(3)
    event_id = an_event()
    assert send(event_id) == InvitationReport(3, ())
    with reading() as session:
        reservations = session.exec(select(EventReservation)).all()
        mails = {mail.reservation_id: mail for mail in queued(session)}
        assert len({mail.recipient for mail in mails.values()}) == 3
        for reservation in reservations:
            assert tokens.rebuild("answer", reservation.id, reservation.response_token) is not None
            assert (reservation.will_attend, reservation.with_lunch, reservation.guest_count) == (None, None, 0)
            mail = mails[reservation.id]
            assert mail.key == f"invitation:{event_id}:{reservation.member_id}:1"
            assert (mail.kind, mail.event_id, mail.member_id) == ("invitation", event_id, reservation.member_id)
            assert mail.state == MailState.PENDING
        assert admin_views.read_detail(session, HELENE, event_id).invitation_sent
        assert admin_views.count_figures(session, event_id) == Figures(total_invited=3, total_no_response=3)
        assert [entry.action for entry in session.exec(select(Act))] == ["invitations.sent"]


def test_those_left_out_are_named_with_the_reason_and_are_not_counted_as_invited(club: str) -> None:
    members(2)
    with transaction() as session:
        add_member(session, "Sans Adresse", None)
        add_member(session, "Désinscrite", "non@merci.example", opted_out_at=clock.now())
        add_member(session, "Ancien Membre", "parti@ailleurs.example", is_active=False)
    event_id = an_event()
    report = send(event_id)
    left_out = {Excluded("Sans Adresse", "pas d’adresse e-mail"), Excluded("Désinscrite", "désinscrit des envois")}
    assert (report.queued, set(report.excluded)) == (2, left_out)
    with reading() as session:
        sending = invitations.read_progress(session, HELENE, event_id)
        assert admin_views.count_figures(session, event_id).total_invited == 2
    assert set(sending.excluded) == left_out
    assert (sending.recipients, sending.pending, sending.sent) == (2, 2, 0)


@pytest.mark.parametrize(
    ("status", "confirms", "after"),
    [("draft", True, "confirmed"), ("draft", False, "draft"), ("confirmed", True, "confirmed")],
)
def test_a_draft_becomes_confirmed_with_its_invitations_when_asked(
    club: str, status: str, confirms: bool, after: str
) -> None:
    members(2)
    event_id = an_event(status=status)
    with transaction() as session:
        invitations.send_invitations(session, HELENE, event_id, confirms=confirms)
    with reading() as session:
        event = session.get_one(Event, event_id)
    assert (event.status, event.invitation_sent) == (after, True)
    assert event.sequence == (1 if status != after else 0)


def test_before_the_sending_its_numbers_and_those_left_out_are_told(club: str) -> None:
    members(2)
    with transaction() as session:
        add_member(session, "Sans Adresse", None)
        add_member(session, "Parti", "parti@club.example").opted_out_at = clock.now()
        add_member(session, "Ancien", "ancien@club.example", is_active=False)
        first = session.exec(select(Member).order_by(Member.name).limit(1).offset(1)).one()
        first.email_failed_at = clock.now()
    event_id = an_event(title="Matinale")
    with reading() as session:
        plan = invitations.plan_invitations(session, HELENE, event_id)
        mail = previews.preview_invitation(session, HELENE, event_id)
        event = session.get_one(Event, event_id)
        assert plan.event == f"Matinale, {clock.long_date(event.date)}"
    assert (plan.sentence, plan.is_draft) == ("2 membres recevront l’invitation.", True)
    assert plan.excluded == (
        Excluded("Ancien", "n’est plus membre actif"),
        Excluded("Parti", "désinscrit des envois"),
        Excluded("Sans Adresse", "pas d’adresse e-mail"),
    )
    assert plan.doubtful == (Excluded("Membre 000", "membre0@club.example"),)
    assert "Matinale" in mail.subject
    assert "cid:" not in mail.html  # a browser cannot open the picture of a message
    for act in (invitations.plan_invitations, previews.preview_invitation):
        with pytest.raises(Forbidden), reading() as session:
            act(session, MARIE, event_id)


def test_whose_answer_is_written_down_already_is_not_counted_and_not_invited(club: str) -> None:
    members(3)
    event_id = an_event()
    with transaction() as session:
        called, mistaken = list(session.exec(select(Member).order_by(Member.name)))[:2]
        for member in (called, mistaken):
            attendee_detail.record_answer(session, HELENE, event_id, member.id, Answer(will_attend=True))
        attendee_detail.take_back_answer(session, HELENE, event_id, mistaken.id)
    with reading() as session:
        plan = invitations.plan_invitations(session, HELENE, event_id)
        event = find_event(session, event_id)
        planned = find_recipients(session, event, ReminderType.INVITATION, Timing(21, True, True))
    report = send(event_id)
    assert plan.sentence == "2 membres recevront l’invitation."
    assert plan.excluded == (Excluded("Membre 000", "a déjà répondu"),)
    assert planned.sentence == "2 membres"
    assert report == InvitationReport(2, plan.excluded)
    with reading() as session:
        invited = [mail for mail in queued(session) if mail.kind == INVITATION and mail.state != MailState.EXCLUDED]
        assert {mail.recipient for mail in invited} == {"membre1@club.example", "membre2@club.example"}
        assert invitations.read_progress(session, HELENE, event_id).recipients == 2


@pytest.mark.parametrize("state", ["sent", "failed", "uncertain", "withdrawn", "pending", "claimed", "handing_over"])
def test_the_list_always_adds_up(club: str, state: str) -> None:
    members(4)
    event_id = an_event()
    send(event_id)
    with transaction() as session:
        queued(session)[0].state = state
    with reading() as session:
        sending = invitations.read_progress(session, HELENE, event_id)
    assert sending.recipients == 4
    in_flight = state in ("pending", "claimed", "handing_over")
    counted = {"sent": sending.sent, "failed": sending.failed, "uncertain": sending.uncertain}
    assert sending.pending == (4 if in_flight else 3)
    assert counted == {name: int(name == state) for name in counted}


def test_nothing_is_in_progress_before_the_sending(club: str) -> None:
    with reading() as session:
        assert invitations.read_progress(session, HELENE, an_event()) == SendingProgress()


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"invitation_sent": True}, "Les invitations de cet événement ont déjà été envoyées."),
        ({"status": "cancelled"}, "annulé"),
        ({"status": "completed"}, "terminé"),
        ({"date": datetime.fromisoformat("2026-11-20T10:00+00:00")}, "déjà eu lieu"),
        ({"date": datetime.fromisoformat("2026-11-20T10:00+00:00") - timedelta(days=3)}, "déjà eu lieu"),
    ],
)
def test_a_sending_that_makes_no_sense_is_refused_and_leaves_nothing(
    club: str, given: dict[str, Any], sentence: str
) -> None:
    members(1)
    event_id = an_event(**given)
    with pytest.raises(Conflict, match=sentence):
        send(event_id)
    with reading() as session:
        with pytest.raises(Conflict, match=sentence):  # nor is it asked
            invitations.plan_invitations(session, HELENE, event_id)
        assert queued(session) == []
        event = session.get(Event, event_id)
        assert event is not None
        assert event.invitation_sent is given.get("invitation_sent", False)


def test_a_club_that_nobody_can_be_invited_from_is_told_and_may_try_again(club: str) -> None:
    event_id = an_event()
    with pytest.raises(Conflict, match="Aucun membre ne peut être invité"):
        send(event_id)
    with pytest.raises(Conflict, match="Aucun membre ne peut être invité"), reading() as session:
        invitations.plan_invitations(session, HELENE, event_id)
    members(1)
    assert send(event_id).queued == 1


def test_a_deleted_event_invites_nobody(club: str) -> None:
    with pytest.raises(NotFound):
        send("00000000-0000-0000-0000-000000000000")


def test_of_two_administrators_who_press_at_once_one_sends(club: str) -> None:
    members(20)
    event_id = an_event()
    outcomes: list[str] = []
    gate = threading.Barrier(2)

    def press() -> None:
        gate.wait()
        try:
            outcomes.append(f"{send(event_id).queued} mails")
        except Conflict as refusal:
            outcomes.append(refusal.text)

    people = [threading.Thread(target=press) for _ in range(2)]
    for person in people:
        person.start()
    for person in people:
        person.join()
    assert sorted(outcomes) == ["20 mails", "Les invitations de cet événement ont déjà été envoyées."]
    with reading() as session:
        assert len(queued(session)) == 20
        assert len(session.exec(select(EventReservation)).all()) == 20


def test_saving_the_form_after_the_sending_keeps_it_sent(club: str) -> None:
    from tests.services.events.event_forms import TYPED, reopened, save

    members(1)
    event_id = save(TYPED)
    typed = reopened(event_id)
    send(event_id)
    save(typed)
    with pytest.raises(Conflict):
        send(event_id)


def test_three_hundred_members_are_invited_at_the_price_of_a_statement_each(club: str) -> None:
    members(300)
    event_id = an_event()
    with counted() as statements:
        assert send(event_id).queued == 300
    assert len(statements) <= 300 + 20
