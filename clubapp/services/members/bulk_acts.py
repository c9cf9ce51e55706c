"""Acts on several members at once, of those that an administrator chose in the list: each act in one transaction."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.mail.messages import account
from clubapp.mail.queue import outbox
from clubapp.models import DOMAINS, Member, OutboxMail
from clubapp.refusals import Invalid, Refusal
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor, require_admin, require_fresh_admin
from clubapp.services.base.pagination import MOST_CHOSEN
from clubapp.services.members import editing, listing
from clubapp.text.collation import sort_by_name

BETWEEN_REQUESTS = timedelta(days=30)
NOBODY = "Aucun de ces membres n’existe encore\u00a0: la liste a changé entre-temps."
TOO_MANY = f"{MOST_CHOSEN} membres au plus à la fois\u00a0: choisissez-en moins."
NO_DOMAIN = "Choisissez le domaine dans la liste."
INACTIVE, DOMAIN, PHOTOGRAPH = ACTS = ("inactive", "domain", "photograph")
ALL_INACTIVE = "Ces membres sont déjà inactifs."
NO_ONE_TO_ASK = "Personne à qui écrire\u00a0: ils ont une photo, n’ont pas d’adresse, ou viennent d’être sollicités."
_MOST_NAMED = 5


@dataclass(frozen=True)
class MemberSelection:
    """The chosen members as the question before an act names them. `askable` can be asked for their photograph."""

    ids: tuple[str, ...] = ()
    count: int = 0
    names: str = ""
    active: int = 0
    askable: int = 0


def read_selection(session: Session, actor: Actor, ids: Sequence[str], act: str = "") -> MemberSelection:
    """The chosen members that still exist.

    Raises:
        Invalid: for more than MOST_CHOSEN.
        Refusal: when none exists, or `act` would change nothing for any.
    """
    members = _find(session, actor, ids)
    found = MemberSelection(
        ids=tuple(member.id for member in members),
        count=len(members),
        names=_enumerate([member.name for member in sort_by_name(members)]),
        active=sum(member.is_active for member in members),
        askable=len(_find_askable(session, members)),
    )
    if act == INACTIVE and not found.active:
        raise Refusal(ALL_INACTIVE)
    if act == PHOTOGRAPH and not found.askable:
        raise Refusal(NO_ONE_TO_ASK)
    return found


def deactivate(session: Session, actor: Actor, ids: Sequence[str]) -> int:
    """Make members inactive, each as by their form; how many were active.

    Raises:
        Refusal: as `read_selection`.
    """
    active = [member for member in _find(session, actor, ids) if member.is_active]
    for member in active:
        editing.deactivate(session, actor, member.id)
    return len(active)


def change_domain(session: Session, actor: Actor, ids: Sequence[str], domain: str) -> int:
    """Give members another activity domain; how many had another.

    Raises:
        Invalid: for a domain that is none of the club's.
        Refusal: as `read_selection`.
    """
    members = _find(session, actor, ids, lock=True)
    if domain not in DOMAINS:
        raise Invalid(NO_DOMAIN, field="domain")
    changed = [member for member in members if member.activity_domain != domain]
    for member in changed:
        changes = {"activity_domain": (member.activity_domain, domain)}
        member.activity_domain, member.updated_at = domain, clock.now()
        session.add(member)
        audit.record(session, actor, "member.updated", member.id, changes=changes)
    return len(changed)


def ask_for_photographs(session: Session, actor: Actor, ids: Sequence[str]) -> int:
    """Queue a mail to those without a photograph, to nobody twice in BETWEEN_REQUESTS; how many get one.

    Raises:
        ProofRequired: when the actor's last proof is too old (S13).
        Refusal: as `read_selection`, and when nobody can be asked.
    """
    require_fresh_admin(actor)
    asked = _find_askable(session, _find(session, actor, ids, lock=True))
    if not asked:
        raise Refusal(NO_ONE_TO_ASK)
    today = clock.to_local(clock.now()).date()
    queued = [
        member.id
        for member in asked
        if outbox.queue_mail(
            session,
            kind=account.PROFILE_CHECK,
            key=f"{account.PROFILE_CHECK}:{member.id}:{today}",
            recipient=member.email or "",
            member_id=member.id,
        )
    ]
    audit.record(session, actor, "photographs.asked", count=len(queued))
    return len(queued)


def _find(session: Session, actor: Actor, ids: Sequence[str], *, lock: bool = False) -> Sequence[Member]:
    require_admin(actor)
    if len(ids) > MOST_CHOSEN:
        raise Invalid(TOO_MANY)
    query = select(Member).where(col(Member.id).in_([str(each) for each in ids])).order_by(col(Member.id))
    members = session.exec(query.with_for_update(key_share=True) if lock else query).all()
    if not members:
        raise Refusal(NOBODY)
    return members


def _find_askable(session: Session, members: Sequence[Member]) -> list[Member]:
    """Active members without a photograph, with an address that takes mail, whom nobody asked lately."""
    able = [
        member
        for member in members
        if member.is_active and member.email and "photo" in listing.list_missing(member)
        if not (member.opted_out_at or member.email_failed_at)
    ]
    lately = select(OutboxMail.member_id).where(
        OutboxMail.kind == account.PROFILE_CHECK,
        col(OutboxMail.member_id).in_([member.id for member in able]),
        col(OutboxMail.created_at) > clock.now() - BETWEEN_REQUESTS,
    )
    asked = set(session.exec(lately).all())
    return [member for member in able if member.id not in asked]


def _enumerate(names: Sequence[str]) -> str:
    shown, rest = list(names[:_MOST_NAMED]), len(names) - _MOST_NAMED
    if rest > 0:
        return f"{', '.join(shown)} et {rest} {'autres' if rest > 1 else 'autre'}"
    return " et ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else shown[0]
