"""Mails that tell people what concerns the access to their account (S14): one each, by the outbox."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from sqlmodel import Session, select

from clubapp import clock, tokens
from clubapp.mail.messages.security_notice import KIND, RemovedAccess, SecurityNotice
from clubapp.mail.queue import outbox
from clubapp.models import Admin, EmailChange, Factor, Member, new_id
from clubapp.services.base.actors import SYSTEM, Actor
from clubapp.text.email_addresses import mask_address


def tell_factor_added(session: Session, email: str, factor: Factor) -> None:
    """To the person: a factor counts from now on."""
    _tell(session, SecurityNotice.FACTOR_ADDED, factor.id, email, name=factor.friendly_name)


def tell_factor_removed(session: Session, email: str, name: str) -> None:
    """To the person: a factor counts no more."""
    _tell(session, SecurityNotice.FACTOR_REMOVED, new_id(), email, name=name)


def tell_recovery_code_used(session: Session, email: str, left: int) -> None:
    """To the person: a recovery code has let somebody in."""
    _tell(session, SecurityNotice.RECOVERY_CODE_USED, new_id(), email, left=left)


def tell_new_browser(session: Session, email: str, browser_id: str, browser: str, country: str) -> None:
    """To the person: somebody has signed in with a browser that was not seen before."""
    _tell(
        session, SecurityNotice.NEW_BROWSER, browser_id, email, browser=browser, browser_id=browser_id, country=country
    )


def tell_admin_added(session: Session, actor: Actor, email: str) -> None:
    """To all administrators, the new one too: one more administers."""
    _tell_administrators(session, SecurityNotice.ADMIN_ADDED, actor, email)


def tell_admin_removed(session: Session, actor: Actor, email: str) -> None:
    """To all administrators, and to the one who is none any more."""
    _tell_administrators(session, SecurityNotice.ADMIN_REMOVED, actor, email, also=(email,))


def tell_change_asked(session: Session, change: EmailChange) -> None:
    """To the old address: a change was asked for, with the links that cancel and undo it."""
    new_email = mask_address(change.new_email)
    _tell(session, SecurityNotice.CHANGE_ASKED, change.id, change.old_email, new_email=new_email, change_id=change.id)


def tell_address_changed(session: Session, old: str, new: str | None, actor: Actor) -> None:
    """To the old address: an administrator has given the member another one, or none."""
    _tell(
        session,
        SecurityNotice.ADDRESS_CHANGED,
        new_id(),
        old,
        new_email=mask_address(new) if new else "",
        by=_name(actor),
    )


def tell_factors_reset(session: Session, actor: Actor, email: str) -> None:
    """To all administrators, and to the person: the factors of an address were removed for its owner."""
    _tell_administrators(session, SecurityNotice.FACTORS_RESET, actor, email, also=(email,))


def tell_taken_back(
    session: Session, email: str, removed: RemovedAccess, browser_id: str, kept: tuple[str, ...]
) -> None:
    """To the person what 'Ce n’est pas moi' has removed and kept; to all administrators, when it is a factor of theirs.

    The link is in a mail: whoever reads the mailbox of an administrator must not remove their factor unseen. While
    factors are kept it may be pressed again, and is told once.
    """
    recipients = {email}
    if (removed.factors or kept) and session.get(Admin, email):
        recipients.update(_list_administrators(session))
    occasion = f"{browser_id}:kept" if kept else browser_id
    for recipient in sorted(recipients):
        _tell(session, SecurityNotice.TAKEN_BACK, occasion, recipient, email=email, kept=kept, **asdict(removed))


def tell_change_undone(
    session: Session, change: EmailChange, factors: tuple[str, ...], has_codes: bool, kept: tuple[str, ...]
) -> None:
    """To all administrators: an address of one of them was given back by its link, which removed or kept factors."""
    if session.get(Admin, change.old_email):
        undone = {"email": change.old_email, "factors": factors, "has_codes": has_codes, "kept": kept}
        for recipient in _list_administrators(session):
            _tell(session, SecurityNotice.CHANGE_UNDONE, change.id, recipient, **undone)


def _tell_administrators(
    session: Session, notice: SecurityNotice, actor: Actor, email: str, also: tuple[str, ...] = ()
) -> None:
    """One mail each to every administrator, whoever acted, and to the addresses of `also`."""
    by, occasion = _name(actor), new_id()
    for recipient in sorted({*_list_administrators(session), *also}):
        _tell(session, notice, occasion, recipient, email=email, by=by)


def _list_administrators(session: Session) -> Sequence[str]:
    return session.exec(select(Admin.email).order_by(Admin.email)).all()


def _name(actor: Actor) -> str:
    """The address of whoever acts; none for the program and commands."""
    return "" if actor == SYSTEM else actor.email


def _tell(session: Session, notice: SecurityNotice, occasion: str, recipient: str, **context: Any) -> None:
    member_id = session.exec(select(Member.id).where(Member.email == recipient)).first()  # erased with the member
    outbox.queue_mail(
        session,
        kind=KIND,
        key=f"{KIND}:{notice}:{occasion}:{tokens.fingerprint(recipient)[:16]}",
        recipient=recipient,
        member_id=member_id,
        context={"notice": notice, "at": clock.now().isoformat(), **context},
    )
