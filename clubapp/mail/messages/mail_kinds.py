"""The table of the kinds of mail, each with the function that composes its letter from the rows of now (M10).

A new kind needs a composer, a line in MAIL_KINDS and a folder in `templates/`.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from sqlmodel import Session

from clubapp.mail.messages import (
    account,
    answer_confirmation,
    batch_cache,
    broadcast,
    event_change,
    guest_notice,
    health,
    invitation_and_reminders,
    security_notice,
    sign_in,
    test_mail,
    text_choice,
    welcome,
)
from clubapp.mail.messages.announcement import letters as announcement
from clubapp.mail.messages.announcement import partner_notice
from clubapp.mail.messages.letter import Letter
from clubapp.models import OutboxMail


def compose(session: Session, mail: OutboxMail) -> Letter:
    """The letter of an outbox row, with the club's signature.

    Raises:
        Withdrawn: when the message must no longer be sent.
    """
    letter = MAIL_KINDS[mail.kind].composer(session, mail)
    signature = batch_cache.read_once(session, "signature", lambda: text_choice.signature(session))
    return replace(letter, context={"signature": signature, **letter.context})


@dataclass(frozen=True)
class MailKind:
    """One kind of mail. `label` is what administrators read in the mail log.

    The queue sends the lowest `priority` first. A second copy of a repeatable mail does no harm, while a missing one
    locks a person out: such mails are sent again when their delivery is uncertain, and leave during a pause (M8).
    What `warns` of an attack on an account leaves during a pause too, which the attacker may have asked for.
    A mail that is `written_by_hand` has no header that calls it auto-generated (RFC 3834).

    The composer raises Withdrawn for a mail that must no longer be sent.
    """

    name: str
    label: str
    composer: Callable[[Session, OutboxMail], Letter]
    priority: int = 5
    is_repeatable: bool = False
    warns: bool = False
    written_by_hand: bool = False


# In the order of the mail log's filter.
MAIL_KINDS = {
    kind.name: kind
    for kind in (
        MailKind(invitation_and_reminders.INVITATION, "Invitation", invitation_and_reminders.compose_invitation),
        MailKind(invitation_and_reminders.REMINDER_1, "1re relance", invitation_and_reminders.compose_reminder_1),
        MailKind(invitation_and_reminders.REMINDER_2, "2e relance", invitation_and_reminders.compose_reminder_2),
        MailKind(broadcast.KIND, "Message du club", broadcast.compose_broadcast, written_by_hand=True),
        MailKind(event_change.CHANGED, "Changement de date ou de lieu", event_change.compose_event_changed, priority=3),
        MailKind(event_change.CANCELLED, "Annulation", event_change.compose_event_cancelled, priority=3),
        MailKind(
            answer_confirmation.CONFIRMED,
            "Confirmation de réponse",
            answer_confirmation.compose_answer_confirmed,
            priority=4,
        ),
        MailKind(
            answer_confirmation.WAITING, "Liste d’attente", answer_confirmation.compose_waiting_confirmed, priority=4
        ),
        # Urgent: nobody else can take the place until this offer is answered or expires.
        MailKind(answer_confirmation.OFFERED, "Place proposée", answer_confirmation.compose_place_offered, priority=3),
        MailKind(guest_notice.NOTICE, "Information d’un invité", guest_notice.compose_guest_notice, priority=4),
        MailKind(guest_notice.DECLINED, "Désistement d’un invité", guest_notice.compose_guest_declined, priority=4),
        MailKind(welcome.KIND, "Bienvenue", welcome.compose_welcome),
        MailKind(announcement.CATERER, "Nombres au traiteur", announcement.compose_caterer, priority=4),
        MailKind(announcement.HOST, "Nombres à l’hôte", announcement.compose_host, priority=4),
        MailKind(
            partner_notice.KIND, "Changement pour traiteur ou hôte", partner_notice.compose_partner_notice, priority=3
        ),
        MailKind(sign_in.SIGN_IN, "Lien de connexion", sign_in.compose_sign_in, priority=0, is_repeatable=True),
        MailKind(
            sign_in.SIGN_IN_UNKNOWN, "Adresse inconnue", sign_in.compose_sign_in_unknown, priority=0, is_repeatable=True
        ),
        MailKind(account.EMAIL_CHANGE, "Nouvelle adresse à confirmer", account.compose_email_change, priority=0),
        MailKind(account.EMAIL_CHANGED, "Changement d’adresse", account.compose_email_changed, priority=0, warns=True),
        MailKind(account.RIGHTS_ASKED, "Demande sur des données", account.compose_rights_asked),
        MailKind(account.RIGHTS_ANSWERED, "Réponse à une demande sur des données", account.compose_rights_answered),
        MailKind(account.PROFILE_CHECK, "Demande de photo", account.compose_profile_check),
        # It leaves during a pause, which may be what it tells of.
        MailKind(health.HEALTH_ALERT, "Alerte de santé", health.compose_health_alert, priority=0, is_repeatable=True),
        MailKind(
            security_notice.KIND,
            "Sécurité du compte",
            security_notice.compose_security_notice,
            priority=1,
            warns=True,
        ),
        # Urgent: an administrator is waiting for it.
        MailKind(test_mail.KIND, "Test", test_mail.compose_test, priority=1),
    )
}
REPEATABLE = tuple(kind.name for kind in MAIL_KINDS.values() if kind.is_repeatable)
WARNINGS = tuple(kind.name for kind in MAIL_KINDS.values() if kind.warns)
