"""kill -9 of the whole server while 300 invitations leave: everyone gets one, or it is shown as uncertain.

CLUB_TEST_ROUNDS sets how often; `make soak` sets it high: the mailing is then cut twenty times.
"""

import os
import random
import signal
import time
from collections.abc import Callable

import pytest
from sqlmodel import Session, col, select, update

from clubapp import clock
from clubapp.database import make_engine, transaction
from clubapp.mail.transport.delivery import CONNECTIONS
from clubapp.models import Event, MailState, OutboxMail
from clubapp.services import demo
from clubapp.services.base.actors import Actor
from clubapp.services.events import invitations, mailing_schedule
from tests.conftest import forget_settings
from tests.e2e.site import Site
from tests.factories import settle_due_mailings
from tests.smtp_server import Relay

INVITED = 300
KILLS = min(int(os.environ.get("CLUB_TEST_ROUNDS", "1")), 20)
WORKERS = int(os.environ.get("CLUB_TEST_WORKERS", "1"))
SECONDS = 60


def invite_everyone(site: Site, patch: pytest.MonkeyPatch) -> None:
    """What the button of the events screen does, in the server's own database, to a club that is loaded into it."""
    for name, value in site.variables().items():
        if name.startswith("CLUB_"):
            patch.setenv(name, value)
    forget_settings()
    with transaction() as session:
        demo.load_club(session, members=INVITED)
        event = session.exec(
            select(Event).where(Event.status == "confirmed", col(Event.date) > clock.now(), ~col(Event.invitation_sent))
        ).first()
        assert event is not None
        assert invitations.send_invitations(session, Actor(demo.ADMIN_EMAIL, is_admin=True), event.id).queued == INVITED
        mailing_schedule.plan_all_mailings(session, late=True)
        settle_due_mailings(session)
    forget_settings()


def states(site: Site) -> dict[str, str]:
    """The fate of each invitation, by address."""
    engine = make_engine(site.database_url)
    with Session(engine) as session:
        rows = session.exec(select(OutboxMail.recipient, OutboxMail.state).where(OutboxMail.kind == "invitation"))
        found = dict(rows.all())
    engine.dispose()
    return found


def let_a_minute_pass(site: Site) -> None:
    """The claims that died with a server are given back after a minute: now."""
    engine = make_engine(site.database_url)
    with engine.begin() as connection:
        died = update(OutboxMail).where(col(OutboxMail.state) == MailState.CLAIMED)
        connection.execute(died.values(lease_until=clock.now()))
    engine.dispose()


def is_over(found: dict[str, str], most: int) -> bool:
    """Whether nothing waits, and at most `most` are being handed over or uncertain."""
    ended = [
        state in (MailState.HANDING_OVER, MailState.UNCERTAIN) for state in found.values() if state != MailState.SENT
    ]
    return all(ended) and len(ended) <= most


@pytest.mark.slow
def test_a_killed_server_forgets_nobody_and_writes_to_nobody_twice(
    own_site: Callable[..., Site], relay: Relay, environment: pytest.MonkeyPatch
) -> None:
    relay.seconds = 0.01
    site = own_site(relay, CLUB_DEMO="0")
    invite_everyone(site, environment)
    for _ in range(KILLS):
        goal = len(relay.accepted) + random.randrange(INVITED // (2 * KILLS + 4))
        until = time.monotonic() + SECONDS
        while len(relay.accepted) <= goal and time.monotonic() < until:
            time.sleep(0.005)
        site.stop(signal.SIGKILL)
        let_a_minute_pass(site)
        site.start()
    most = CONNECTIONS * KILLS * WORKERS
    until = time.monotonic() + SECONDS
    # The last ones are in the living server's hands for a moment, beside those of the killed ones.
    while time.monotonic() < until and not is_over(states(site), most):
        time.sleep(0.2)
    found = states(site)
    received = relay.recipients
    assert len(found) == INVITED
    assert not [address for address, count in received.items() if count > 1]
    assert all(address in received for address, state in found.items() if state == MailState.SENT)
    # In nobody's hands but the relay's when the server died: shown as uncertain, never sent again by itself.
    unsettled = {address for address, state in found.items() if state != MailState.SENT}
    assert {found[address] for address in unsettled} <= {MailState.HANDING_OVER, MailState.UNCERTAIN}
    assert len(unsettled) <= most, site.tail()
    assert set(found) - set(received) <= unsettled
