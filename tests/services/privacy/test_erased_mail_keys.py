"""Of a message whose recipient is erased, no address stays in its key (P3)."""

from datetime import timedelta

import pytest
from sqlmodel import col, select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.mail.queue import outbox
from clubapp.models import MailState, OutboxMail
from clubapp.services.privacy import retention


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
