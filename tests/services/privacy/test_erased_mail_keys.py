"""Of a message whose recipient is erased, no address stays, neither in its key nor with a worker (P2, P3)."""

from datetime import timedelta

import pytest
from sqlmodel import col, select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.mail.queue import claims, outbox
from clubapp.models import MailState, OutboxMail
from clubapp.services.members import editing
from clubapp.services.privacy import retention
from tests.factories import add_member
from tests.services.answers.invitees import ADMIN


@pytest.mark.parametrize("kind", ["guest_notice", "partner_notice", "health_alert"])
def test_an_erased_message_keeps_no_address(club: str, kind: str) -> None:
    with transaction() as session:
        for number in (1, 2):
            key = f"{kind}:{number}:zoe@lys.example"
            outbox.queue_mail(session, kind=kind, key=key, recipient="zoe@lys.example")
        for mail in session.exec(select(OutboxMail)).all():
            mail.state, mail.created_at = MailState.SENT, clock.now() - retention.MAIL_CONTENT - timedelta(days=1)
    with transaction() as session:
        outbox.queue_mail(session, kind=kind, key=f"{kind}:3:ali@ben.example", recipient="ali@ben.example")
        retention.erase_expired(session)
    with reading() as session:
        keys = session.exec(select(OutboxMail.key).order_by(col(OutboxMail.created_at))).all()
    assert ["@" in key for key in keys] == [False, False, True]


@pytest.mark.parametrize("is_sent", [True, False], ids=["sent", "refused"])
def test_what_a_worker_held_while_its_member_was_erased_is_emptied_once_it_is_done_with(
    club: str, is_sent: bool
) -> None:
    with transaction() as session:
        marie = add_member(session)
        for kind in ("invitation", "broadcast"):
            outbox.queue_mail(session, kind=kind, key=kind, recipient=str(marie.email), member_id=marie.id)
        about_guest = {"guest_id": "g", "name": "Zoé Lys"}
        outbox.queue_mail(session, kind="broadcast", key="g", recipient="zoe@lys.example", context=about_guest)
        outbox.queue_mail(session, kind="caterer", key="c", recipient="chef@traiteur.example")
        held = claims.claim(session, "w", 10)
        claims.hand_over(session, [(mail.id, "w") for mail in held])
    with transaction() as session:
        editing.delete(session, ADMIN, marie.id)
        retention.erase_expired(session)
    with transaction() as session:
        for mail in held:
            if is_sent:
                claims.mark_sent(session, [(mail.id, "w", f"250 {mail.recipient}")])
            else:
                claims.mark_failed(session, mail.id, "w", "Refusé.", f"550 {mail.recipient}")
    with transaction() as session:
        retention.erase_expired(session)
        kept = {mail.key: (mail.recipient, mail.relay_answer[4:]) for mail in session.exec(select(OutboxMail))}
    others = ("zoe@lys.example", "chef@traiteur.example")
    assert kept == {"invitation": ("", ""), "broadcast": ("", ""), "g": (others[0],) * 2, "c": (others[1],) * 2}
