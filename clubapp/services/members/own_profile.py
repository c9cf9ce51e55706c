"""A member's own profile: reading, writing, and its visibility on the public site (W3, P1)."""

from dataclasses import dataclass, field
from typing import Any

from sqlmodel import Session

from clubapp import clock, routes
from clubapp.models import ChoiceSource, Member
from clubapp.refusals import Invalid, NotFound
from clubapp.services.access import email_change
from clubapp.services.access.email_change import NONE_PENDING, PendingChange
from clubapp.services.base import audit, edit_conflicts
from clubapp.services.base.actors import Actor, require_fresh, require_member
from clubapp.services.base.form_fields import FormCheck, format_columns
from clubapp.services.directory import for_visitors
from clubapp.services.directory.for_visitors import MemberPage
from clubapp.services.images import initials as image_initials
from clubapp.services.images import uploads
from clubapp.services.privacy import visibility
from clubapp.services.privacy.visibility import WORDINGS, Made

LABELS = {
    "role": "Fonction",
    "email": "E-mail",
    "phone": "Téléphone",
    "linkedin": "LinkedIn",
    "website": "Site web",
    "description": "Description",
    "expertise": "Domaines d'expertise",
    "services": "Services proposés",
    "image_url": "Photo",
}
NO_EMAIL = "Indiquez votre adresse e-mail\u00a0: elle sert à vous connecter."


@dataclass(frozen=True)
class ProfileForm:
    """The fields a member may write of their own record, as typed (W3). `seen` is the version that was opened."""

    seen: str = ""
    role: str = ""
    email: str = ""
    phone: str = ""
    linkedin: str = ""
    website: str = ""
    description: str = ""
    expertise: str = ""
    services: str = ""
    image_url: str = ""


@dataclass(frozen=True)
class OwnProfile:
    """A member's profile as they see it. `initials` is the image that stands in for a photograph.

    `chosen` says of each choice by whom and when it was made; `is_awaited` while the club waits for a first one (P5).
    """

    id: str = ""
    name: str = ""
    company: str = ""
    initials: str = ""
    public_href: str = ""
    form: ProfileForm = ProfileForm()
    pending: PendingChange = NONE_PENDING
    is_listed: bool = True
    shows_email: bool = True
    shows_phone: bool = True
    shows_photo: bool = True
    is_listed_to_members: bool = False
    shows_email_to_members: bool = False
    shows_phone_to_members: bool = False
    shows_photo_to_members: bool = False
    is_awaited: bool = False
    chosen: dict[str, str] = field(default_factory=dict)


def read_own_profile(session: Session, actor: Actor) -> OwnProfile:
    """The actor's own profile.

    Raises:
        Forbidden: for anyone but a member.
    """
    member = _member(session, actor)
    return OwnProfile(
        id=member.id,
        name=member.name,
        company=member.company,
        initials=image_initials.person_image_url(member.name),
        public_href=routes.member_profile(member.id),
        form=_form(member),
        pending=email_change.find_pending(session, member),
        is_awaited=visibility.is_awaited(session, member),
        chosen=_describe_choices(session, member),
        **{choice: getattr(member, choice) for choice in WORDINGS},
    )


def save(session: Session, actor: Actor, typed: ProfileForm) -> PendingChange:
    """Save the actor's own profile. A new e-mail address takes effect once it is confirmed (S11).

    Returns:
        The change of address that awaits confirmation, if any.

    Raises:
        InvalidForm: when fields are wrong.
        RecordChanged: when someone saved it since it was opened, and something differs.
        TooMany: after too many changes of address.
        ProofRequired: for another address, when the last proof is too old (S13).
    """
    member = _member(session, actor, lock=True)
    is_stale = typed.seen != edit_conflicts.version_of_row(member)
    checked, email = _checked(session, member, typed, is_stale=is_stale)
    if is_stale:
        mine = format_columns(checked | {"email": email})
        words = lambda _, text: text  # noqa: E731 - what is shown is the text itself
        edit_conflicts.refuse_changed_record(
            session, actor, member, theirs=_typed(member), mine=mine, labels=LABELS, words=words
        )
    if email not in (member.email, email_change.find_pending(session, member).email):
        require_fresh(actor)
        email_change.request_change(session, actor, member, email)
    if any(getattr(member, name) != value for name, value in checked.items()):
        columns = audit.read_columns(member)
        for name, value in checked.items():
            setattr(member, name, value)
        member.updated_at = clock.now()
        changes = audit.compare(columns, audit.read_columns(member))
        audit.record(session, actor, "profile.updated", member.id, changes=changes)
    session.flush()
    return email_change.find_pending(session, member)


def preview(session: Session, actor: Actor, typed: ProfileForm) -> MemberPage:
    """The public page of the typed profile, without saving it.

    Raises:
        InvalidForm: when fields are wrong.
    """
    member = _member(session, actor)
    checked, email = _checked(session, member, typed)
    typed_row: dict[str, Any] = {**member.model_dump(), **checked, "email": email}
    return for_visitors.build_member_page(Member(**typed_row))


def set_visibility(session: Session, actor: Actor, choice: str, shown: bool, seen: str = "") -> str:
    """Show or hide a part of the actor's record, to everyone or to members as `choice` says, at once (P1).

    Returns:
        The new version of a form opened at `seen`, which this change does not make stale.

    Raises:
        Invalid: when `choice` is unknown.
    """
    member = _member(session, actor, lock=True)
    if choice not in WORDINGS:
        raise Invalid("Ce réglage n’existe pas.")
    if getattr(member, choice) == bool(shown):
        return seen
    is_current = seen == edit_conflicts.version_of_row(member)
    made = Made(ChoiceSource.MEMBER, actor.email)
    visibility.set_choices(session, member, {choice: (bool(shown), WORDINGS[choice].label)}, made)
    audit.record(session, actor, "profile.visibility", member.id, changes={choice: (not shown, bool(shown))})
    session.flush()
    return edit_conflicts.version_of_row(member) if is_current else seen


def decide_contacts(session: Session, actor: Actor, is_shown: bool, seen: str = "") -> str:
    """Say yes or no, at once, to showing the actor's e-mail, phone and photograph (P5). Returns as `set_visibility`."""
    member = _member(session, actor, lock=True)
    is_current = seen == edit_conflicts.version_of_row(member)
    changed = visibility.decide_contacts(session, member, bool(is_shown), Made(ChoiceSource.MEMBER, actor.email))
    changes = dict.fromkeys(changed, (not is_shown, bool(is_shown)))
    audit.record(session, actor, "profile.visibility", member.id, changes=changes)
    return edit_conflicts.version_of_row(member) if is_current else seen


def _describe_choices(session: Session, member: Member) -> dict[str, str]:
    latest = visibility.read_latest(session, member.id)
    return {choice: visibility.describe_to_member(latest.get(choice)) for choice in WORDINGS}


def _checked(
    session: Session, member: Member, typed: ProfileForm, *, is_stale: bool = False
) -> tuple[dict[str, Any], str]:
    """The columns to write, and the requested address."""
    found = FormCheck()
    email = found.email("email", typed.email, member.email or "")
    if not email:
        found.errors["email"] = NO_EMAIL
    columns: dict[str, Any] = {
        "role": found.line("role", typed.role),
        "phone": found.phone("phone", typed.phone, member.phone),
        "linkedin": found.web("linkedin", typed.linkedin, member.linkedin),
        "website": found.web("website", typed.website, member.website),
        "description": found.block("description", typed.description),
        "expertise": found.listing("expertise", typed.expertise, member.expertise),
        "services": found.listing("services", typed.services, member.services),
        "image_url": uploads.check_form_image(
            session, found, "avatars", typed.image_url, member.image_url, is_stale=is_stale
        ),
    }
    found.raise_errors()
    return columns, email


def _form(member: Member) -> ProfileForm:
    return ProfileForm(seen=edit_conflicts.version_of_row(member), **_typed(member))


def _typed(member: Member) -> dict[str, str]:
    return format_columns({name: getattr(member, name) for name in LABELS})


def _member(session: Session, actor: Actor, *, lock: bool = False) -> Member:
    found = session.get(Member, require_member(actor), with_for_update=lock or None)
    if found is None:
        raise NotFound
    return found
