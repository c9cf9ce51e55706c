"""After the first sending: who came since is invited once, and one person is sent the same link again."""

import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlmodel import Session, col, select

from clubapp import clock, tokens
from clubapp.database import reading, transaction
from clubapp.mail.messages.mail_kinds import compose
from clubapp.models import Act, Event, EventReservation, MailState, Member, OutboxMail
from clubapp.refusals import Conflict, Forbidden, NotFound
from clubapp.services.base.actors import VISITOR, Actor
from clubapp.services.events import invitation_follow_up, invitations
from clubapp.services.events.invitation_follow_up import ON_ITS_WAY, Newcomers
from clubapp.services.events.invitations import SendingProgress
from tests.factories import add_event, add_member

HELENE = Actor(email="helene@beffroi.example", is_admin=True, session_id="s")
MARIE = Actor(email="marie@durand.example", member_id="m", session_id="t")


@pytest.fixture(autouse=True)
def november(at: Callable[[str], datetime]) -> Callable[[str], datetime]:
    at("2026-11-20T10:00")
    return at


@pytest.fixture
def announced(club: str) -> str:
    """An event whose invitations went out, to Marie and not to Sans Adresse."""
    with transaction() as session:
        event_id = add_event(session).id
        add_member(session)
        add_member(session, "Sans Adresse", None)
        invitations.send_invitations(session, HELENE, event_id)
        return event_id


def newcomers(event_id: str) -> Newcomers:
    with reading() as session:
        return invitation_follow_up.find_newcomers(session, HELENE, event_id)


def invite(event_id: str) -> int:
    with transaction() as session:
        return invitation_follow_up.invite_newcomers(session, HELENE, event_id)


def progress(event_id: str) -> SendingProgress:
    with reading() as session:
        return invitations.read_progress(session, HELENE, event_id)


def mails(session: Session) -> list[OutboxMail]:
    query = select(OutboxMail).where(OutboxMail.state != MailState.EXCLUDED)
    return list(session.exec(query.order_by(col(OutboxMail.created_at), col(OutboxMail.key))))


def marked(state: str, **given: Any) -> str:
    """Every mail so far is in a state; the reservation of the first."""
    with transaction() as session:
        for mail in mails(session):
            mail.sqlmodel_update({"state": state} | given)
            session.add(mail)
        return str(mails(session)[0].reservation_id)


def resend(reservation_id: str) -> None:
    with transaction() as session:
        invitation_follow_up.resend_invitation(session, HELENE, reservation_id)


ACTS: list[Callable[[Session, Actor, str], Any]] = [
    invitation_follow_up.find_newcomers,
    invitation_follow_up.invite_newcomers,
    invitation_follow_up.resend_invitation,
]


@pytest.mark.parametrize("actor", [VISITOR, MARIE], ids=["visitor", "member"])
@pytest.mark.parametrize("act", ACTS)
def test_only_an_administrator_invites(announced: str, actor: Actor, act: Callable[..., Any]) -> None:
    with pytest.raises(Forbidden), transaction() as session:
        act(session, actor, announced)


def test_members_added_or_given_an_address_since_are_told_and_invited_in_one_go(announced: str) -> None:
    assert newcomers(announced) == Newcomers()
    with transaction() as session:
        add_member(session, "Ajoutée Depuis", "ajoutee@club.example")
        add_member(session, "Désinscrit", "non@club.example", opted_out_at=clock.now())
        add_member(session, "Parti", "parti@club.example", is_active=False)
    assert newcomers(announced) == Newcomers(
        1, "1 membre peut encore être invité", "Inviter ce membre", "Ajoutée Depuis"
    )
    with transaction() as session:
        session.exec(select(Member).where(Member.name == "Sans Adresse")).one().email = "enfin@club.example"
    assert newcomers(announced) == Newcomers(
        2, "2 membres peuvent encore être invités", "Inviter ces 2 membres", "Ajoutée Depuis, Sans Adresse"
    )
    assert invite(announced) == 2
    assert newcomers(announced) == Newcomers()
    found = progress(announced)
    assert (found.recipients, found.pending, found.excluded) == (3, 3, ())
    with reading() as session:
        holders = session.exec(select(EventReservation)).all()
        assert len(holders) == 3
        assert {mail.reservation_id for mail in mails(session)} == {holder.id for holder in holders}
        assert all(tokens.rebuild("answer", one.id, one.response_token) for one in holders)
        assert "invitations.added" in [entry.action for entry in session.exec(select(Act))]


def test_a_second_press_finds_nobody_left(announced: str) -> None:
    with transaction() as session:
        add_member(session, "Ajoutée Depuis", "ajoutee@club.example")
    outcomes: list[str] = []
    gate = threading.Barrier(2)

    def press() -> None:
        gate.wait()
        try:
            outcomes.append(str(invite(announced)))
        except Conflict as refusal:
            outcomes.append(refusal.text)

    people = [threading.Thread(target=press) for _ in range(2)]
    for person in people:
        person.start()
    for person in people:
        person.join()
    assert sorted(outcomes) == ["1", "Tous les membres qui peuvent l’être sont déjà invités."]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"invitation_sent": False}, "pas encore été envoyées"),
        ({"status": "cancelled"}, "annulé"),
        ({"status": "completed"}, "terminé"),
        ({"date": timedelta(hours=-1)}, "déjà eu lieu"),
        ({"answers_until": timedelta(hours=-1)}, "réponses sont closes depuis"),
    ],
)
def test_nobody_is_invited_late_to_what_is_off_over_or_not_announced(
    announced: str, given: dict[str, Any], sentence: str
) -> None:
    changes = {name: clock.now() + value if isinstance(value, timedelta) else value for name, value in given.items()}
    with transaction() as session:
        event = session.get(Event, announced)
        assert event is not None
        event.sqlmodel_update(changes)
        session.add(event)
        add_member(session, "Ajoutée Depuis", "ajoutee@club.example")
    assert newcomers(announced) == Newcomers()
    with pytest.raises(Conflict, match=sentence):
        invite(announced)
    reservation_id = marked("sent", sent_at=clock.now() - timedelta(days=1))
    if "invitation_sent" not in given:
        with pytest.raises(Conflict, match=sentence):
            resend(reservation_id)


def test_a_resent_invitation_is_a_new_mail_with_the_same_link(announced: str) -> None:
    reservation_id = marked("sent", sent_at=clock.now() - timedelta(minutes=2))
    resend(reservation_id)
    with reading() as session:
        first, second = mails(session)
        assert (first.key.rpartition(":")[2], second.key.rpartition(":")[2]) == ("1", "2")
        assert first.message_id != second.message_id
        assert (second.state, second.recipient) == (MailState.PENDING, "marie@durand.example")
        letters = [compose(session, mail) for mail in (first, second)]
        assert letters[0] == letters[1]
        assert "?token=" in str(letters[0])
        assert "invitation.resent" in [entry.action for entry in session.exec(select(Act))]
    assert (progress(announced).recipients, progress(announced).pending) == (1, 1)


@pytest.mark.parametrize("state", ["pending", "claimed", "handing_over"])
def test_while_one_is_on_its_way_no_other_is_sent(announced: str, state: str) -> None:
    with pytest.raises(Conflict) as refused:
        resend(marked(state))
    assert refused.value.text == ON_ITS_WAY
    with reading() as session:
        assert len(mails(session)) == 1


def test_a_minute_passes_between_two_sendings(announced: str, november: Callable[[str], datetime]) -> None:
    reservation_id = marked("sent", sent_at=clock.now())
    november("2026-11-20T10:00:59")
    with pytest.raises(Conflict, match="attendez une minute"):
        resend(reservation_id)
    november("2026-11-20T10:01:01")
    resend(reservation_id)
    with pytest.raises(Conflict, match="déjà en route"):
        resend(reservation_id)


@pytest.mark.parametrize("state", ["failed", "withdrawn"])
def test_what_never_left_can_be_sent_again_at_once(announced: str, state: str) -> None:
    resend(marked(state))
    assert (progress(announced).failed, progress(announced).pending) == (0, 1)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"email": None}, "pas d’adresse"),
        ({"opted_out_at": "now"}, "désinscrit"),
        ({"is_active": False}, "plus membre"),
    ],
)
def test_who_cannot_be_written_to_is_not(announced: str, given: dict[str, Any], sentence: str) -> None:
    reservation_id = marked("failed")
    with transaction() as session:
        member = session.exec(select(Member).where(Member.name == "Marie Durand")).one()
        member.sqlmodel_update({name: clock.now() if value == "now" else value for name, value in given.items()})
        session.add(member)
    with pytest.raises(Conflict, match=sentence):
        resend(reservation_id)


@pytest.mark.parametrize("reservation_id", ["", "nobody"])
def test_a_reservation_that_is_gone_is_not_found(announced: str, reservation_id: str) -> None:
    with pytest.raises(NotFound):
        resend(reservation_id)


def test_of_many_newcomers_the_first_ten_are_named(announced: str) -> None:
    with transaction() as session:
        for number in range(1, 12):
            add_member(session, f"Élise {number:02}", f"elise{number}@club.example")
    first = ", ".join(f"Élise {number:02}" for number in range(1, 11))
    assert newcomers(announced).names == f"{first} et 1 autre"
    with transaction() as session:
        add_member(session, "zoé", "zoe@club.example")
    assert newcomers(announced).names == f"{first} et 2 autres"


def test_whose_invitation_was_withdrawn_can_be_invited_again(announced: str) -> None:
    with transaction() as session:
        add_member(session, "Ajoutée Depuis", "ajoutee@club.example")
    assert invite(announced) == 1
    marked("withdrawn")
    assert newcomers(announced).count == 2
    assert invite(announced) == 2
    with reading() as session:
        assert [mail.state for mail in mails(session)].count("pending") == 2
        assert len(session.exec(select(EventReservation)).all()) == 2
    assert (newcomers(announced), progress(announced).recipients) == (Newcomers(), 2)


def test_who_has_answered_or_was_sent_one_is_not_invited_again(announced: str) -> None:
    with transaction() as session:
        add_member(session, "Ajoutée Depuis", "ajoutee@club.example")
    assert invite(announced) == 1
    marie = marked("sent", sent_at=clock.now() - timedelta(days=1))
    resend(marie)
    with transaction() as session:
        for row in session.exec(select(EventReservation)):
            row.will_attend = None if row.id == marie else True
        for mail in mails(session):
            if mail.reservation_id != marie or mail.state == "pending":
                mail.state = "withdrawn"
    assert newcomers(announced) == Newcomers()
    with pytest.raises(Conflict):
        invite(announced)
