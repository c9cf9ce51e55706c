"""After a restoration nothing leaves by itself that may have left since the backup (R8)."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from sqlmodel import select

from clubapp import clock
from clubapp.database import transaction
from clubapp.jobs import schedule
from clubapp.mail.queue.claims import claim, hand_over
from clubapp.mail.transport.delivery import deliver
from clubapp.models import Event, UserSession
from clubapp.services import backups
from clubapp.services.access import security_notices
from clubapp.services.base.actors import SYSTEM
from clubapp.services.events import mailing_schedule
from clubapp.services.mail_log import queue_pause
from tests.mail.mailings import ask_for_link, fates, invite
from tests.services.answers.invitees import invite as invitees
from tests.services.backups.club_copies import ENGINES, Move, make_schema, rows
from tests.smtp_server import Relay, running_relay


@pytest.fixture
def relay(environment: pytest.MonkeyPatch) -> Iterator[Relay]:
    with running_relay() as running:
        environment.setenv("CLUB_SMTP_URL", running.url)
        yield running


@pytest.mark.parametrize("source", ENGINES)
def test_nothing_that_may_have_left_leaves_again_by_itself(
    relay: Relay, move: Move, file: Path, at: Callable[[str], datetime], source: str
) -> None:
    """A mailing half-way, a sign-in mail and a reminder: the club goes on after the backup, and is then lost."""
    start = at("2026-11-20T10:00")
    move(source)
    make_schema()
    invite("Marie Durand", "Paul Vasseur", "Zoé Lefèbvre", date=start + timedelta(days=15), invitation_sent=True)
    with transaction() as session:
        mailing_schedule.plan_all_mailings(session)
        session.add(
            UserSession(email="a@b.example", secret_hash="x", created_at=start, expires_at=start + timedelta(hours=1))
        )
        for event in session.exec(select(Event)):
            event.helper_token = "the hash of a helpers' link"
    ask_for_link()
    with transaction() as session:
        for mail in claim(session, "somebody", 10):
            if mail.kind == "invitation" and "marie" in mail.recipient:
                hand_over(session, [(mail.id, "somebody")])
    backups.make_backup(file)
    at("2026-11-22T10:00")
    move(ENGINES[source == "sqlite"])
    done = backups.restore(file)
    assert (done.waiting_mails, done.missed_mailings) == (2, 1)
    assert sorted(fates().values()) == ["pending", "pending", "uncertain", "withdrawn"]
    for job in (schedule.plan_mailings, schedule.send_planned, schedule.recover_mail, schedule.send_mail):
        job()
    assert relay.recipients == {}
    assert {row["ended_at"] for row in rows()["sessions"]} == {clock.now()}
    assert {row["helper_token"] for row in rows()["events"]} == {""}
    with transaction() as session:
        waited = queue_pause.read_pause(session, SYSTEM).doubtful
        assert (waited > 0, queue_pause.count_left(session, SYSTEM)) == (True, 0)
        said = queue_pause.end_pause(session, SYSTEM)
        assert queue_pause.count_left(session, SYSTEM) == waited
    assert not said.is_on
    for job in (schedule.plan_mailings, schedule.send_planned, schedule.recover_mail, schedule.send_mail):
        job()
    assert relay.recipients == {}
    assert sorted(fates().values()) == ["uncertain", "uncertain", "uncertain", "withdrawn"]
    assert {row["state"] for row in rows()["planned_mailings"]} == {"missed", "planned"}
    ask_for_link("helene@beffroi.example")
    deliver()
    assert relay.recipients == {"helene@beffroi.example": 1}


def test_what_waited_is_sent_when_somebody_says_so(relay: Relay, move: Move, file: Path) -> None:
    move("sqlite")
    make_schema()
    invite("Marie Durand", "Paul Vasseur")
    backups.make_backup(file)
    move("sqlite")
    backups.restore(file)
    with transaction() as session:
        assert queue_pause.read_pause(session, SYSTEM).doubtful == 2
        queue_pause.pause_queue(session, SYSTEM)  # changes nothing of what is asked
        assert "2 messages attendaient" in queue_pause.read_pause(session, SYSTEM).question
        queue_pause.end_pause(session, SYSTEM, with_doubtful=True)
    deliver()
    assert set(relay.recipients.values()) == {1}
    assert set(fates().values()) == {"sent"}


def test_a_security_notice_that_waited_is_not_sent_a_second_time_and_a_new_one_leaves(
    relay: Relay, move: Move, file: Path
) -> None:
    def tell() -> None:
        with transaction() as session:
            security_notices.tell_factor_removed(session, "helene@beffroi.example", "Ma clé")

    move("sqlite")
    make_schema()
    tell()
    backups.make_backup(file)
    move("sqlite")
    backups.restore(file)
    deliver()
    assert (relay.recipients, list(fates().values())) == ({}, ["uncertain"])
    tell()
    deliver()
    assert relay.recipients == {"helene@beffroi.example": 1}


def test_a_place_on_offer_is_told_once_the_club_is_back(move: Move, file: Path, at: Callable[[str], datetime]) -> None:
    """Fails when what waited is left alone, and the person loses the place without a word."""
    at("2026-11-20T10:00")
    move("sqlite")
    make_schema()
    marie, paul = invitees("Marie", "Paul", max_participants=1)
    marie.says(True)
    paul.says(True)
    marie.says(False)
    backups.make_backup(file)
    at("2026-11-22T10:00")
    move("postgres")
    backups.restore(file)
    schedule.expire_offers()
    back = at("2026-11-22T12:00")
    with transaction() as session:
        queue_pause.end_pause(session, SYSTEM)
    assert paul.row.offer_until == back + timedelta(hours=24)
    deliver()
    assert [len(paul.mails("place_offered", state)) for state in ("sent", "uncertain", "pending")] == [1, 1, 0]


def test_what_is_queued_after_the_restoration_leaves_with_the_pause(relay: Relay, move: Move, file: Path) -> None:
    move("sqlite")
    make_schema()
    invite("Marie Durand")
    backups.make_backup(file)
    move("sqlite")
    backups.restore(file)
    invite("Paul Vasseur", date=clock.now() + timedelta(days=70))
    deliver()
    assert relay.recipients == {}
    with transaction() as session:
        queue_pause.end_pause(session, SYSTEM)
    deliver()
    assert list(relay.recipients) == ["paul.vasseur@invites.example"]
