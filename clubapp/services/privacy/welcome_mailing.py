"""The welcome mail to who was entered by somebody else (P5; RGPD, article 14): who gets one, and what became of it."""

from dataclasses import dataclass

from sqlmodel import Session, col, select

from clubapp import clock, tokens
from clubapp.mail.messages.welcome import KIND
from clubapp.mail.queue import outbox
from clubapp.models import ChoiceSource, MailState, Member, OutboxMail
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.privacy import visibility

SAYS = "ce que le site montre, d’où viennent les données, et un lien pour en décider d’un geste"
ENTERED = (
    f"À l’enregistrement, cette personne reçoit un message de bienvenue\u00a0: {SAYS}. "
    "Sans adresse e-mail, aucun message ne part."
)
WAIT = "E-mail, téléphone et photo n’apparaissent qu’une fois que la personne a dit oui."
NOT_YET = "Cette personne n’a pas dit oui à tout ce qui suit\u00a0: le site ne le montre qu’avec son accord."
NO_ADDRESS = "Pas d’adresse e-mail\u00a0: dites-lui vous-même ce que le club conserve."
_SENT = (MailState.SENT, MailState.UNCERTAIN)


@dataclass(frozen=True)
class EntryNotice:
    """What the form of a member says before it is saved; `asks_consent` while it may record the person's yes."""

    text: str = ""
    asks_consent: bool = False


def read_entry_notice(session: Session, actor: Actor, member_id: str) -> EntryNotice:
    """What follows from entering a member, for an empty id; else whether the member's yes is missing."""
    require_admin(actor)
    if not member_id:
        waits = visibility.asks_before(ChoiceSource.ADMINISTRATOR)
        return EntryNotice(f"{ENTERED} {WAIT}" if waits else ENTERED, waits)
    withheld = visibility.list_withheld(session, member_id)
    return EntryNotice(NOT_YET if withheld else "", bool(withheld))


def welcome_member(session: Session, member: Member) -> None:
    """Queue the welcome mail, once for an address; without one, record that there is none.

    Only for an active member whom somebody else entered and who has not chosen anything yet: who was entered before
    there was such a mail, and who signed themselves up, get none.
    """
    if not member.entered_via or not member.is_active:
        return
    key = f"{KIND}:{member.id}:{tokens.fingerprint(member.email or '')[:16]}"
    if not member.email:
        outbox.record_excluded(session, kind=KIND, key=key, reason=NO_ADDRESS, member_id=member.id)
    elif not visibility.has_chosen(session, member.id):
        outbox.queue_mail(session, kind=KIND, key=key, recipient=member.email, member_id=member.id)


def describe_welcome(session: Session, member: Member) -> str:
    """What became of the welcome mail to the present address, in French; empty when none was due."""
    if not member.entered_via:
        return ""
    if not member.email:
        return f"Aucun message de bienvenue. {NO_ADDRESS}"
    mine = (OutboxMail.kind == KIND, OutboxMail.member_id == member.id, OutboxMail.recipient == member.email)
    mail = session.exec(select(OutboxMail).where(*mine).order_by(col(OutboxMail.created_at).desc())).first()
    if mail is None:
        return ""
    if mail.state in _SENT and mail.sent_at:
        return f"Message de bienvenue envoyé le {clock.plain_day(mail.sent_at)}."
    if mail.state in outbox.WAITING:
        return "Le message de bienvenue attend d’être envoyé."
    return "Le message de bienvenue n’est pas parti\u00a0: voyez les messages de son historique."
