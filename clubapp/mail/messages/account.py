"""Mails about someone's own account: a change of address (S11), a request about their data (P2), a photograph.

And the links in mails about an account, which act once they are confirmed on their page (S14; decision 0004).
"""

from sqlmodel import Session, col, select

from clubapp import clock, routes, tokens
from clubapp.mail.messages.letter import Letter, Withdrawn
from clubapp.mail.messages.recipients_now import MEMBER_GONE, names_of, require_member, require_token, unsubscribe_link
from clubapp.models import Admin, EmailChange, Member, OutboxMail, RequestOutcome, Right, RightsRequest
from clubapp.settings import settings
from clubapp.text import french

EMAIL_CHANGE, EMAIL_CHANGED, PROFILE_CHECK = "email_change", "email_changed", "profile_check"
PURPOSE = "email-change"
NOT_ME, CANCEL_CHANGE, UNDO_CHANGE = LINKS = ("not-me", "cancel-email-change", "undo-email-change")
HAS_PHOTOGRAPH = "Le membre a ajouté sa photo entre-temps."
CHANGE_GONE = "Le changement d’adresse a été confirmé, annulé ou remplacé."
RIGHTS_ASKED, RIGHTS_ANSWERED = "rights_asked", "rights_answered"
ANSWERED_MEANWHILE = "La demande a reçu une réponse entre-temps."
# What is asked, after 'demande'.
_ASKED = {
    Right.ERASURE: "l’effacement de ses données",
    Right.COPY: "une copie de ses données",
    Right.CORRECTION: "la rectification de ses données",
    Right.OBJECTION: "que l’on cesse un usage de ses données",
}
_STRANGERS_REMEDY = (
    "Ce n’est pas l’adresse d’un membre. Répondre «\u00a0c’est fait\u00a0» efface ce que des membres ont donné de la "
    "personne invitée à cette adresse\u00a0; le reste est à effacer d’abord."
)
_NAMELESS_REMEDY = (
    "Sans adresse e-mail, le site ne sait pas de qui il s’agit\u00a0: répondre «\u00a0c’est fait\u00a0» n’efface rien. "
    "Effacez d’abord vous-même ce que le club garde de cette personne."
)
_STRANGER_ERASED = (
    "C’est fait. Ce que nous gardions de vous est effacé. Vos venues aux rencontres restent comptées, sans votre nom. "
    "Les sauvegardes qui vous nomment encore disparaissent avec le temps\u00a0; si l’une d’elles servait, "
    "l’effacement serait refait."
)
_REMEDIES = {
    Right.ERASURE: "Répondre «\u00a0c’est fait\u00a0» efface sa fiche, sa photo, ses sessions et ses messages.",
    Right.COPY: "Un membre trouve la copie de ses données dans «\u00a0Mes données\u00a0», de son espace.",
    Right.CORRECTION: "Corrigez sa fiche, puis répondez.",
    Right.OBJECTION: "Cessez l’usage en question, ou dites pour quel motif légitime il continue.",
}
# The same to who asked, after 'Vous avez demandé'.
_YOURS = {
    Right.ERASURE: "l’effacement de vos données",
    Right.COPY: "une copie de vos données",
    Right.CORRECTION: "la rectification de vos données",
    Right.OBJECTION: "que l’on cesse un usage de vos données",
}
_DONE = {
    Right.ERASURE: (
        "C’est fait. Votre fiche, votre photo, vos sessions et le contenu de nos messages sont effacés. Vos réponses "
        "aux rencontres passées restent comptées, sans votre nom\u00a0; vos places à venir sont libérées. Les "
        "sauvegardes qui vous nomment encore disparaissent avec le temps\u00a0; si l’une d’elles servait, l’effacement "
        "serait refait."
    ),
    Right.COPY: "C’est fait.",
    Right.CORRECTION: "C’est fait\u00a0: vos données sont corrigées.",
    Right.OBJECTION: "C’est fait\u00a0: nous cessons cet usage.",
}


def compose_email_change(session: Session, mail: OutboxMail) -> Letter:
    """To the new address: the link that confirms it, or, when it is someone else's, that it cannot be used."""
    member = _require_account_holder(session, mail)
    change = session.get(EmailChange, mail.context["change_id"])
    if change is None or change.confirmed_at or change.voided_at or change.expires_at <= clock.now():
        raise Withdrawn(CHANGE_GONE)
    if _is_taken(session, change):
        return Letter("email_change_taken", {"contact_email": settings().contact_email})
    token = require_token(tokens.rebuild(PURPOSE, change.id, change.token_hash))
    link = f"{settings().public_url}{routes.CONFIRM_EMAIL}#token={token}"
    return Letter(EMAIL_CHANGE, {"link": link, "until": clock.long_date(change.expires_at)}, to_name=member.name)


def compose_email_changed(session: Session, mail: OutboxMail) -> Letter:
    """To the old address: that it no longer signs in, and the link that undoes the change for a week (S14)."""
    change_id = mail.context.get("change_id")
    context = {
        "new_email": mail.context["new_email"],
        "contact_email": settings().contact_email,
        "undo": build_account_link(UNDO_CHANGE, change_id) if change_id else "",
    }
    return Letter(EMAIL_CHANGED, context, to_name=_require_account_holder(session, mail).name)


def compose_rights_asked(session: Session, mail: OutboxMail) -> Letter:
    """To an administrator: somebody asks something about their data."""
    row = session.get(RightsRequest, mail.context["request_id"])
    if row is None or row.answered_at:
        raise Withdrawn(ANSWERED_MEANWHILE)
    right = Right(row.kind)
    return Letter(
        RIGHTS_ASKED,
        {
            "name": row.name,
            "of_name": french.of_person(row.name),
            "asked": _ASKED[right],
            "remedy": _tell_remedy(row, right),
            "has_address": bool(row.email),
            "words": row.words,
            "deadline": clock.long_day(row.due_at),
            "link": settings().public_url + routes.ADMIN_REQUESTS,
        },
    )


def _tell_remedy(row: RightsRequest, right: Right) -> str:
    if row.member_id or right is not Right.ERASURE:
        return _REMEDIES[right]
    return _STRANGERS_REMEDY if row.email else _NAMELESS_REMEDY


def compose_rights_answered(session: Session, mail: OutboxMail) -> Letter:
    """To who asked: what became of it; if it was refused, whom they can turn to (RGPD, article 12.4)."""
    row = session.get(RightsRequest, mail.context["request_id"])
    if row is None or row.answered_at is None:
        raise Withdrawn(ANSWERED_MEANWHILE)
    right = Right(row.kind)
    is_refused = row.outcome == RequestOutcome.REFUSED
    is_strangers = right is Right.ERASURE and not mail.context.get("is_member", True)
    return Letter(
        RIGHTS_ANSWERED,
        {
            "asked": _YOURS[right],
            "asked_on": clock.long_day(row.asked_at),
            "told": "" if is_refused else _STRANGER_ERASED if is_strangers else _DONE[right],
            "is_refused": is_refused,
            "answer": row.answer,
            "contact_email": settings().contact_email,
        },
    )


def compose_profile_check(session: Session, mail: OutboxMail) -> Letter:
    """To a member without a photograph: where to add it, with their unsubscribe link (M3)."""
    member = require_member(session, mail)
    if member.image_url:
        raise Withdrawn(HAS_PHOTOGRAPH)
    unsubscribe = unsubscribe_link(member)
    return Letter(
        PROFILE_CHECK,
        {"link": settings().public_url + routes.MEMBER, "has_unsubscribe_link": True},
        to_name=member.name,
        unsubscribe=unsubscribe,
        personal={"unsubscribe": unsubscribe, **names_of(member)},
    )


def build_account_link(purpose: str, identifier: str) -> str:
    """The address of a link, about the row of an identifier."""
    token = f"{identifier}.{tokens.derive(purpose, identifier)}"
    return f"{settings().public_url}{routes.ACCOUNT_LINK}?acte={purpose}&token={token}"


def read_account_link(purpose: str, token: str) -> str | None:
    """The identifier of a link's token; None unless a key of ours made it for this purpose."""
    identifier, _, secret = token.partition(".")
    is_ours = purpose in LINKS and tokens.rebuild(purpose, identifier, tokens.fingerprint(secret)) is not None
    return identifier if is_ours else None


def _require_account_holder(session: Session, mail: OutboxMail) -> Member:
    """The active member whose account it is, opted out of mailings or not.

    Raises:
        Withdrawn: when there is none.
    """
    member = session.get(Member, mail.member_id) if mail.member_id else None
    if member is None or not member.is_active:
        raise Withdrawn(MEMBER_GONE)
    return member


def _is_taken(session: Session, change: EmailChange) -> bool:
    other = select(Member.id).where(col(Member.email) == change.new_email, col(Member.id) != change.member_id)
    return session.get(Admin, change.new_email) is not None or session.exec(other).first() is not None
