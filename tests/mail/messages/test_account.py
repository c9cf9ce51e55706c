"""The mails about one's own address, read back as a mail program reads them (S11, M1)."""

import re
from email import message_from_bytes, policy
from email.message import EmailMessage

from sqlmodel import select

from clubapp.database import reading, transaction
from clubapp.mail.messages import mail_kinds
from clubapp.mail.transport import mime
from clubapp.models import OutboxMail
from clubapp.services.access import email_change
from clubapp.services.base.actors import Actor
from tests.conftest import on_sqlite
from tests.factories import add_member

pytestmark = on_sqlite

NEW = "marie@nouvelle.example"


def ask(email: str = NEW) -> None:
    with transaction() as session:
        member = add_member(session)
        email_change.request_change(session, Actor(member.email or "", member_id=member.id), member, email)


def read_back(kind: str) -> EmailMessage:
    """The one message of a kind, as it would leave."""
    with reading() as session:
        mail = session.exec(select(OutboxMail).where(OutboxMail.kind == kind)).one()
        message = message_from_bytes(mime.build_message(mail_kinds.compose(session, mail), mail), policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message


def parts(message: EmailMessage) -> list[str]:
    found = [message.get_body((kind,)) for kind in ("plain", "html")]
    return [part.get_content() for part in found if part]


def links(text: str) -> set[str]:
    return set(re.findall(r"http://[^\s\"<>]+#token=[\w-]{43}", text))


def test_both_parts_carry_the_link_and_its_end(club: str) -> None:
    ask()
    message = read_back("email_change")
    assert message["To"] == f"Marie Durand <{NEW}>"
    plain, html = parts(message)
    assert links(plain) == links(html) != set()
    assert "24 h" not in plain
    for part in (plain, html):
        assert "ne sert qu’une seule fois" in part
        assert "D’ici là, votre adresse actuelle reste la bonne" in part


def test_the_old_address_reads_the_new_one_masked_and_whom_to_write_to(club: str) -> None:
    ask()
    (link,) = links(parts(read_back("email_change"))[0])
    with transaction() as session:
        email_change.confirm_change(session, link.partition("token=")[2])
    message = read_back("email_changed")
    assert "marie@durand.example" in message["To"]
    for part in parts(message):
        assert "ma•••@nouvelle.example" in part
        assert NEW not in part
        assert "contact@beffroi.example" in part


def test_an_address_that_is_taken_gets_no_link_and_no_name(club: str) -> None:
    with transaction() as session:
        add_member(session, "Luc Petit", NEW)
    ask()
    for part in parts(read_back("email_change")):
        assert not links(part)
        assert "Marie" not in part
        assert "rien n’a changé" in part
