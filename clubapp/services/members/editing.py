"""Creation, change and deletion of members by administrators."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.mail.messages.welcome import KIND as WELCOME
from clubapp.models import DOMAINS, Admin, ChoiceSource, Company, EmailChange, Member
from clubapp.refusals import NotFound
from clubapp.services.access import email_change, factor_loss, security_notices, sessions
from clubapp.services.answers import waiting_list
from clubapp.services.base import audit, edit_conflicts
from clubapp.services.base.actors import Actor, require_admin, require_fresh, require_fresh_admin
from clubapp.services.base.form_fields import NOTHING, FormCheck, InvalidForm, clean_line
from clubapp.services.images import responsive_images, uploads
from clubapp.services.members.admin_form import (
    FLAGS,
    HAS_CONSENT,
    KEPT_COMPANY,
    LABELS,
    NEW_COMPANY,
    MemberForm,
    build_columns,
    fill_form,
    format_form,
)
from clubapp.services.privacy import erased_people, erasure, visibility, welcome_mailing
from clubapp.services.privacy.visibility import ASKED, CHOICES, CONTACTS, WORDINGS, Made
from clubapp.text.collation import fold, sort_by_name
from clubapp.text.french import of_person

GONE = "Ce membre n’existe plus\u00a0: il a été supprimé entre-temps."
COMPANY_GONE = "Cette entreprise n’existe plus\u00a0: choisissez-en une autre."


@dataclass(frozen=True)
class CompanyChoice:
    """A company in the member form's list; choosing it proposes its domain."""

    id: str
    name: str
    domain: str


def list_company_choices(session: Session, actor: Actor) -> tuple[CompanyChoice, ...]:
    """The companies a member can belong to, sorted by name."""
    require_admin(actor)
    rows = session.exec(select(Company.id, Company.name, Company.activity_domain).order_by(Company.id))
    return tuple(sort_by_name(CompanyChoice(*row) for row in rows))


def open_form(session: Session, actor: Actor, member_id: str) -> MemberForm:
    """The form of a member.

    Raises:
        NotFound: when the member was deleted.
    """
    require_admin(actor)
    member = _find(session, member_id)
    return fill_form(member, edit_conflicts.version_of_row(member))


def save(
    session: Session,
    actor: Actor,
    typed: MemberForm,
    optional: frozenset[str] = frozenset(),
    via: ChoiceSource = ChoiceSource.ADMINISTRATOR,
) -> str:
    """Create the member, or update the one whose id the form holds. The company's name is copied into the member.

    A company not in the list is made with its name and the member's domain, unless one has this name. A member who is
    deactivated or changes address is signed out (S9); a deactivated one's places are freed. The fields of `optional`
    may be empty. Who is entered by somebody else, `via` a form or an import, is told (P5). Returns the member's id.

    Raises:
        InvalidForm: when fields are wrong, or the address is another member's.
        RecordChanged: when someone saved the member since the form was opened, and something differs.
        NotFound: when the member was deleted.
        ProofRequired: for another or a first address, when the actor's last proof is too old (S13).
    """
    require_admin(actor)
    company = _company(session, typed)  # locked before the member, in the order that renaming a company uses
    # A key share lock lets concurrent transactions insert mails that refer to the member.
    member = _find(session, typed.id, lock={"key_share": True}) if typed.id else _fresh()
    wanted = _checked(session, actor, typed, member, company, optional=optional)
    wanted |= {} if typed.id else _enter(actor, typed, wanted["email"], via)
    changed = {name: value for name, value in wanted.items() if getattr(member, name) != value}
    if typed.id and not changed:
        return member.id
    _require_proof(actor, typed, changed)
    before, columns = member.email, audit.read_columns(member if typed.id else None)
    if company is not None and company.id == changed.get("company_id"):
        _store_company(session, actor, company)
    _write(session, member, changed)
    _keep_choices(session, typed, member, changed, Made(via, actor.email or actor.operator))
    _follow_change(session, actor, member, before, changed)
    changes = audit.compare(columns, audit.read_columns(member))
    audit.record(session, actor, f"member.{'updated' if typed.id else 'created'}", member.id, changes=changes)
    return member.id


def deactivate(session: Session, actor: Actor, member_id: str) -> None:
    """Make a member inactive, as by their form. An inactive one stays as they are.

    Raises:
        NotFound: when the member was deleted.
    """
    _set_active(session, actor, member_id, is_active=False)


def activate(session: Session, actor: Actor, member_id: str) -> None:
    """Make a member active again, as by their form. An active one stays as they are.

    Raises:
        NotFound: when the member was deleted.
    """
    _set_active(session, actor, member_id, is_active=True)


def _set_active(session: Session, actor: Actor, member_id: str, *, is_active: bool) -> None:
    require_admin(actor)
    member = _find(session, member_id, lock={"key_share": True})
    if member.is_active == is_active:
        return
    before = audit.read_columns(member)
    _write(session, member, {"is_active": is_active})
    _follow_change(session, actor, member, member.email, {"is_active": is_active})
    audit.record(session, actor, "member.updated", member.id, changes=audit.compare(before, audit.read_columns(member)))


def keep_record(session: Session, actor: Actor, member_id: str) -> None:
    """Note that the record of an inactive member was looked at and stays.

    Raises:
        NotFound: when the member was deleted.
    """
    require_admin(actor)
    member = _find(session, member_id, lock={"key_share": True})
    member.reviewed_at = clock.now()
    session.add(member)
    audit.record(session, actor, "member.kept", member.id)


def _require_proof(actor: Actor, typed: MemberForm, changed: dict[str, Any]) -> None:
    if typed.id and "email" in changed:
        require_fresh(actor)


def _follow_change(session: Session, actor: Actor, member: Member, before: str | None, changed: dict[str, Any]) -> None:
    """What follows from a member's new state: places freed, sessions ended, people told. `before` is their address."""
    if "is_active" in changed:
        follow = waiting_list.renew_invitations if member.is_active else waiting_list.withdraw_invitations
        follow(session, member.id)
    if before and "email" in changed:
        _change_address(session, actor, member, before)
    elif before and not member.is_active:
        _sign_out(session, before)
    if changed.keys() & {"entered_via", "email", "is_active"}:
        welcome_mailing.welcome_member(session, member)


def _enter(actor: Actor, typed: MemberForm, email: str | None, via: ChoiceSource) -> dict[str, Any]:
    """What is kept of how a new member came: nothing of who enters themselves."""
    if email and email == actor.email:
        return {}
    waits = visibility.asks_before(via) and not typed.has_consent
    hidden = dict.fromkeys(ASKED, False) if waits else {}
    return {"entered_via": via, "needs_consent": visibility.asks_before(via), **hidden}


def _keep_choices(session: Session, typed: MemberForm, member: Member, changed: dict[str, Any], made: Made) -> None:
    """Record what this form says is shown: all that the site shows of a new member."""
    chosen = [choice for choice in WORDINGS if choice in changed or (choice in CHOICES and not typed.id)]
    if not typed.id and member.needs_consent and not typed.has_consent:
        chosen = [choice for choice in chosen if choice not in ASKED]  # nobody chose these yet
    if typed.has_consent and member.needs_consent and set(chosen) & set(ASKED):
        agreed = [choice for choice in ASKED if choice in CONTACTS or choice in chosen]
        words = {choice: f"{LABELS[choice]} ({HAS_CONSENT})" for choice in agreed}
        visibility.record_choices(session, member, agreed, words, Made(ChoiceSource.CONSENT, made.by))
        chosen = [choice for choice in chosen if choice not in ASKED]
    visibility.record_choices(session, member, chosen, LABELS, made)


def _change_address(session: Session, actor: Actor, member: Member, before: str) -> None:
    """What follows from another address of a member: their factors go with them, the old one is told (S12, S14).

    Mails that wait go with them too; a welcome mail is of one address, and the new one gets its own.
    """
    factor_loss.follow_address(session, before, member.email)
    email_change.redirect_waiting(session, member, but=(WELCOME,))
    security_notices.tell_address_changed(session, before, member.email, actor)
    _sign_out(session, before)


def delete(session: Session, actor: Actor, member_id: str) -> None:
    """Delete a member with their photograph and their sessions (S9).

    Their answers and mails stay in the counts of events and mailings. Their places at future events are freed, and
    what they asked for about their data is done with.

    Raises:
        ProofRequired: without a recent proof of who acts (S13): a deletion is undone by nobody.
        NotFound: when the member was already deleted.
    """
    require_fresh_admin(actor)
    member = _find(session, member_id, lock=True)
    waiting_list.withdraw_invitations(session, member_id)
    was_asked = erasure.close_requests(session, actor, member)
    erasure.erase_member(session, actor, member, was_asked=was_asked)
    session.delete(member)
    session.flush()
    erasure.erase_acts(session, member)
    if member.email:
        _sign_out(session, member.email)
    responsive_images.remove_once_committed(session, member.image_url)
    erased_people.note(session, member_id, was_asked=was_asked)
    audit.record(session, actor, "member.deleted", member_id)


def _find(session: Session, member_id: str, *, lock: bool | dict[str, bool] = False) -> Member:
    member = session.get(Member, member_id, with_for_update=lock or None)
    if member is None:
        raise NotFound(GONE)
    return member


def _fresh() -> Member:
    return Member(name="", created_at=clock.now(), updated_at=clock.now())


def _company(session: Session, typed: MemberForm) -> Company | None:
    if typed.company_id in ("", NOTHING, KEPT_COMPANY):
        return None
    if typed.company_id == NEW_COMPANY:
        return _named(session, clean_line(typed.company), typed.activity_domain)
    return session.get(Company, typed.company_id, with_for_update={"read": True})


def _named(session: Session, name: str, domain: str) -> Company | None:
    """The company of this name, or a new one that is not stored yet."""
    if not name:
        return None
    companies = session.exec(select(Company.id, Company.name).order_by(Company.id))
    same = next((company_id for company_id, other in companies if fold(other) == fold(name)), None)
    if same:
        return session.get(Company, same, with_for_update={"read": True})
    now = clock.now()
    domain = domain if domain in DOMAINS else ""
    return Company(name=name, activity_domain=domain, created_at=now, updated_at=now)


def _store_company(session: Session, actor: Actor, company: Company) -> None:
    if company in session:
        return
    session.add(company)
    session.flush()
    changes = audit.compare({}, audit.read_columns(company))
    audit.record(session, actor, "company.created", company.id, changes=changes)


def _checked(
    session: Session,
    actor: Actor,
    typed: MemberForm,
    member: Member,
    company: Company | None,
    *,
    optional: frozenset[str],
) -> dict[str, Any]:
    """The columns to store, the company's name included; refused as `save` says."""
    is_stale = bool(typed.id) and typed.seen != edit_conflicts.version_of_row(member)
    found = FormCheck(optional=optional)
    wanted = build_columns(found, typed, member)
    if company is not None:
        wanted["company_id"] = company.id
    elif wanted["company_id"] and "company" not in found.errors:
        found.errors["company_id"] = COMPANY_GONE
    if "email" not in found.errors and (owner := _owner(session, wanted["email"], member.id)):
        found.errors["email"] = _taken_by(owner)
    wanted["image_url"] = uploads.check_form_image(
        session, found, "avatars", wanted["image_url"], member.image_url, is_stale=is_stale
    )
    if member.needs_consent and not typed.has_consent:
        visibility.check_consent(found, member, wanted, visibility.list_withheld(session, member.id))
    found.raise_errors()
    wanted |= {"company": company.name} if company else {}
    if is_stale:
        _refuse_stale(session, actor, member, wanted)
    return wanted


def _owner(session: Session, email: str | None, but: str) -> str | None:
    if email is None:
        return None
    return session.exec(select(Member.name).where(Member.email == email, Member.id != but)).first()


def _taken_by(owner: str) -> str:
    return f"Cette adresse est déjà celle {of_person(owner)}."


def _refuse_stale(session: Session, actor: Actor, member: Member, wanted: dict[str, Any]) -> None:
    theirs = format_form({name: getattr(member, name) for name in LABELS}, member)
    names = dict(session.exec(select(Company.id, Company.name)).all())
    names |= {KEPT_COMPANY: member.company, wanted["company_id"]: wanted.get("company", "")}

    def words(name: str, value: Any) -> str:
        if name in FLAGS:
            return "oui" if value else "non"
        if name == "company_id":
            return names.get(value, "")
        return "" if value == NOTHING else value

    mine = format_form({name: wanted[name] for name in LABELS}, member)
    edit_conflicts.refuse_changed_record(session, actor, member, theirs=theirs, mine=mine, labels=LABELS, words=words)


def _write(session: Session, member: Member, changed: dict[str, Any]) -> None:
    if "email" in changed:
        _forget_address(session, member)
    try:
        with session.begin_nested():
            for name, value in changed.items():
                setattr(member, name, value)
            member.updated_at = clock.now()
            session.add(member)
    except IntegrityError:
        if owner := _owner(session, changed.get("email"), member.id):
            raise InvalidForm({"email": _taken_by(owner)}) from None
        raise


def _forget_address(session: Session, member: Member) -> None:
    """Clear what concerns the old address: its delivery failure, and a pending change."""
    member.email_failed_at, member.email_failure = None, ""
    waiting = col(EmailChange.confirmed_at).is_(None) & col(EmailChange.voided_at).is_(None)
    wishes = update(EmailChange).where(col(EmailChange.member_id) == member.id, waiting)
    session.connection().execute(wishes.values(voided_at=clock.now()))


def _sign_out(session: Session, email: str) -> None:
    """End the sessions of an address, unless it is an administrator's."""
    if session.get(Admin, email) is None:
        sessions.end_all_sessions(session, email)
