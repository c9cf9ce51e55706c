"""People whom an administrator enters, and what is kept of their choices."""

from dataclasses import replace
from typing import Any

import pytest
from sqlmodel import select

from clubapp.database import reading, transaction
from clubapp.mail.messages import mail_kinds
from clubapp.mail.messages.letter import Letter
from clubapp.models import Member, OutboxMail, PublicationChoice
from clubapp.services.base.actors import Actor
from clubapp.services.members import editing
from clubapp.services.members.admin_form import MemberForm
from tests.conftest import forget_settings

HELENE = Actor("helene@beffroi.example", is_admin=True, session_id="s")
ZOE_EMAIL = "zoe@atelier.example"
ZOE = MemberForm(
    name="Zoé Lefèbvre", role="Gérante", description="Menuiserie.", company="Atelier", company_id="+",
    email=ZOE_EMAIL, phone="03 27 41 12 34",
)  # fmt: skip


def ask_before(environment: pytest.MonkeyPatch) -> None:
    """From here on the club asks before it shows anything."""
    environment.setenv("CLUB_PUBLISH", "after_consent")
    forget_settings()


def enter(typed: MemberForm = ZOE, actor: Actor = HELENE) -> str:
    with transaction() as session:
        return editing.save(session, actor, typed)


def change(member_id: str, **changed: Any) -> None:
    """Open the form, change something, save."""
    with transaction() as session:
        form = editing.open_form(session, HELENE, member_id)
        editing.save(session, HELENE, replace(form, **changed))


def kept(member_id: str) -> Member:
    with reading() as session:
        return session.get_one(Member, member_id)


def shown(member_id: str) -> list[str]:
    """What a visitor sees beside the page itself."""
    row = kept(member_id)
    return [name for name in ("shows_email", "shows_phone", "shows_photo") if getattr(row, name)]


def choices(member_id: str) -> list[PublicationChoice]:
    with reading() as session:
        query = select(PublicationChoice).where(PublicationChoice.member_id == member_id)
        return sorted(session.exec(query), key=lambda row: (row.at, row.choice))


def welcomes() -> list[OutboxMail]:
    with reading() as session:
        return list(session.exec(select(OutboxMail).where(OutboxMail.kind == "welcome").order_by(OutboxMail.recipient)))


def letter(mail: OutboxMail) -> Letter:
    with reading() as session:
        return mail_kinds.compose(session, mail)
