"""A club whose signing key is lost gets new answer links, and only those that need one."""

from datetime import timedelta

import pytest
from sqlmodel import select

from clubapp import clock, tokens
from clubapp.database import transaction
from clubapp.mail.transport.delivery import deliver
from clubapp.models import EventReservation
from clubapp.refusals import Forbidden
from clubapp.services.answers import link_renewal
from clubapp.services.base.actors import SYSTEM, VISITOR
from tests.conftest import forget_settings
from tests.factories import add_event, add_member, add_reservation
from tests.mail.mailings import fates, invite


def lose_key(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("CLUB_SECRET_KEY", "another-key-that-is-long-enough-to-sign-with")
    forget_settings()


def test_a_visitor_renews_nothing(club: str) -> None:
    with transaction() as session, pytest.raises(Forbidden):
        link_renewal.renew_links(session, VISITOR)


def test_mails_to_those_already_invited_can_be_written_again(club: str, environment: pytest.MonkeyPatch) -> None:
    """Without it, every reminder fails: no key rebuilds the token its link needs."""
    mailing = invite("Marie Durand", "Paul Vasseur")
    lose_key(environment)
    with transaction() as session:
        assert link_renewal.renew_links(session, SYSTEM) == 2
    deliver()
    assert set(fates().values()) == {"sent"}
    with transaction() as session:
        assert link_renewal.renew_links(session, SYSTEM) == 0
        (old, *_) = mailing.answer_tokens.values()
        assert tokens.fingerprint(old) not in session.exec(select(EventReservation.response_token)).all()


def test_links_of_known_keys_and_of_past_events_stay(club: str, environment: pytest.MonkeyPatch) -> None:
    with transaction() as session:
        member = add_member(session)
        add_reservation(session, add_event(session, date=clock.now() - timedelta(days=60)), member)
    lose_key(environment)
    with transaction() as session:
        add_reservation(session, add_event(session), member)
        assert link_renewal.renew_links(session, SYSTEM) == 0
