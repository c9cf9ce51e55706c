"""Mail that is held back, by hand or after errors, waits; administrators see why and let it go (M9)."""

from collections.abc import Callable
from datetime import datetime

from clubapp.database import transaction
from clubapp.mail.transport.delivery import Summary, deliver
from clubapp.services.mail_log import queue_pause
from tests.mail.mailings import ask_for_link, fates, invite, mails
from tests.services.mail_log.mail_log_steps import ADMIN, MARIE
from tests.smtp_server import Relay, always


def test_mail_held_back_by_hand_waits_and_people_still_sign_in(relay: Relay) -> None:
    with transaction() as session:
        held = queue_pause.pause_queue(session, ADMIN)
    assert (held.is_on, held.is_by_hand) == (True, True)
    assert held.reason == "Les envois ont été suspendus par helene@beffroi.example."
    invite("Marie Durand")
    ask_for_link()
    assert deliver(until_empty=True) == Summary(sent=1)
    assert fates() == {MARIE: "pending", "marie@durand.example": "sent"}
    with transaction() as session:
        assert not queue_pause.end_pause(session, ADMIN).is_on
    assert deliver() == Summary(sent=1)


def test_a_pause_after_errors_says_why_and_ends_by_a_press(relay: Relay, at: Callable[[str], datetime]) -> None:
    at("2026-11-20T10:00")
    relay.at_rcpt = always("450 4.7.0 too many messages")
    invite(*(f"Membre {number}" for number in range(20)))
    deliver()
    with transaction() as session:
        paused = queue_pause.read_pause(session, ADMIN)
        assert paused.reason == "Plusieurs envois de suite ont échoué."
        assert paused.words == "450 4.7.0 too many messages"
        assert paused.until == "Nouvel essai à 11:00."
        tried = sum(mail.attempts for mail in mails())
    deliver()
    assert sum(mail.attempts for mail in mails()) == tried
    relay.at_rcpt = lambda _: None
    with transaction() as session:
        queue_pause.end_pause(session, ADMIN)
    assert deliver().sent > 0
