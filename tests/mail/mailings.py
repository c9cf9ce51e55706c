"""Mailings to send, made as services make them."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import timedelta

from sqlmodel import Session, col, select

from clubapp import clock, tokens
from clubapp.database import reading, transaction
from clubapp.mail.queue import outbox
from clubapp.models import Event, Member, OutboxMail, SignInLink, new_id
from tests.factories import add_event, add_member, add_reservation


@dataclass(frozen=True)
class Mailing:
    """An event, those invited to it and their answer tokens, by address."""

    event: Event
    members: tuple[Member, ...]
    answer_tokens: dict[str, str]


def invite(*names: str, session: Session | None = None, **event: object) -> Mailing:
    """Queue the invitations of a new event to new members of these names."""
    if session is None:
        with transaction() as opened:
            return invite(*names, session=opened, **event)
    made = add_event(session, **event)  # type: ignore[arg-type]
    members, answer_tokens = [], {}
    for name in names:
        member = add_member(session, name=name, email=address_of(name))
        reservation, token = add_reservation(session, made, member)
        answer_tokens[str(member.email)] = token
        members.append(member)
        outbox.queue_mail(
            session,
            kind="invitation",
            key=f"invitation:{made.id}:{member.id}:1",
            recipient=str(member.email),
            member_id=member.id,
            event_id=made.id,
            reservation_id=reservation.id,
        )
    return Mailing(made, tuple(members), answer_tokens)


def address_of(name: str) -> str:
    """'zoe.lefebvre@invites.example'."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return f"{'.'.join(re.findall('[a-z0-9]+', plain))}@invites.example"


def ask_for_link(email: str = "marie@durand.example", *, code: bool = True, only_code: bool = False) -> SignInLink:
    """Queue a sign-in mail."""
    now, identifier = clock.now(), new_id()
    access, refresh = (tokens.derive(f"sign-in-{use}", identifier) for use in ("access", "refresh"))
    link = SignInLink(
        id=identifier,
        email=email,
        access_hash=tokens.fingerprint(access),
        refresh_hash=tokens.fingerprint(refresh),
        nonce_hash=tokens.fingerprint(identifier),
        created_at=now,
        expires_at=now + timedelta(minutes=30),
    )
    with transaction() as session:
        session.add(link)
        context = {"link_id": identifier, "code": code, "only_code": only_code}
        outbox.queue_mail(session, kind="sign_in", key=f"sign_in:{identifier}", recipient=email, context=context)
    return link


def mails() -> list[OutboxMail]:
    """The outbox, in the order of queueing."""
    with reading() as session:
        return list(session.exec(select(OutboxMail).order_by(col(OutboxMail.created_at), col(OutboxMail.recipient))))


def fates() -> dict[str, str]:
    """What became of the message to each address."""
    return {mail.recipient: mail.state for mail in mails()}
