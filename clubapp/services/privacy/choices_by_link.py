"""What a member does by the link of their welcome mail, without signing in: say what the public site shows (P5).

The token alone authorises it. It is derived from the member's id and address (decision 0004): another address, or the
end of the record, ends it.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlmodel import Session

from clubapp import routes, tokens
from clubapp.mail.messages.welcome import PURPOSE, link_identifier
from clubapp.models import TO_MEMBERS, ChoiceSource, Member, is_for_members
from clubapp.refusals import NotFound
from clubapp.services.base import audit, link_limit
from clubapp.services.base.actors import Actor
from clubapp.services.privacy import visibility
from clubapp.services.privacy.visibility import CHOICES, LISTED, WORDINGS, Made
from clubapp.text import phone_numbers

INVALID_LINK = "Ce lien n’est pas valable, ou ne l’est plus. Ouvrez-le de nouveau depuis le message de bienvenue."
CHANGED = "profile.visibility"
_LABELS = {
    LISTED: "Votre page",
    "shows_email": "Votre e-mail",
    "shows_phone": "Votre téléphone",
    "shows_photo": "Votre photo",
}
_MISSING = {
    LISTED: "Nom, fonction, entreprise, présentation",
    "shows_email": "Aucun sur votre fiche",
    "shows_phone": "Aucun sur votre fiche",
    "shows_photo": "Aucune sur votre fiche",
}


@dataclass(frozen=True)
class OwnChoice:
    """One thing that the site may show: its value, whether it is shown, when that was chosen, and the button.

    What the site hides may be shown to members, by the choice `members_name` with its own button.
    """

    name: str
    label: str
    value: str
    is_shown: bool
    chosen: str
    press: str
    members_name: str
    is_to_members: bool
    members_press: str


@dataclass(frozen=True)
class OwnChoices:
    """The page of a link. `is_awaited` while the club waits for a first yes or no."""

    name: str
    public_href: str
    is_awaited: bool
    choices: tuple[OwnChoice, ...]


def read_choices(session: Session, member_id: str, token: str) -> OwnChoices:
    """How things stand. Changes nothing, since mail scanners fetch links too.

    Raises:
        NotFound: for a token that is not this member's, or one of a former address.
    """
    return _describe(session, _find(session, member_id, token))


def choose(session: Session, member_id: str, token: str, choice: str, is_shown: bool) -> OwnChoices:
    """Show or hide one of `visibility.WORDINGS`, or for any other word all `CONTACTS`; takes effect at once.

    Raises:
        NotFound: as `read_choices`.
        LinkSpent: for something to show, after too many changes within a day.
    """
    member = _find(session, member_id, token, lock=True)
    columns = (choice,) if choice in WORDINGS else visibility.list_decided(member, is_shown)
    if visibility.has_said(session, member, columns, is_shown):
        return _describe(session, member)
    if is_shown:  # hiding is never refused
        link_limit.refuse_too_many(session, member.id, (CHANGED,))
    made = Made(ChoiceSource.LINK, member.email or "")
    if choice in WORDINGS:
        words = WORDINGS[choice].label if is_shown else WORDINGS[choice].hide
        changed = visibility.set_choices(session, member, {choice: (is_shown, words)}, made)
    else:
        changed = visibility.decide_contacts(session, member, is_shown, made)
    actor = Actor(email=made.by, member_id=member.id)
    audit.record(session, actor, CHANGED, member.id, changes=dict.fromkeys(changed, (not is_shown, is_shown)))
    return _describe(session, member)


def _find(session: Session, member_id: str, token: str, *, lock: bool = False) -> Member:
    member = session.get(Member, member_id, with_for_update=lock or None, populate_existing=lock)
    if member is None or not member.email or not member.is_active:
        raise NotFound(INVALID_LINK)
    if tokens.rebuild(PURPOSE, link_identifier(member), tokens.fingerprint(token)) is None:
        raise NotFound(INVALID_LINK)
    session.add(member)
    return member


def _describe(session: Session, member: Member) -> OwnChoices:
    values = {
        "shows_email": member.email or "",
        "shows_phone": phone_numbers.format_phone(member.phone),
        "shows_photo": "Celle de votre fiche" if member.image_url else "",
    }
    return OwnChoices(
        name=member.name,
        public_href=routes.member_profile(member.id) if member.is_listed else "",
        is_awaited=visibility.is_awaited(session, member),
        choices=_describe_choices(session, member, values),
    )


def _describe_choices(session: Session, member: Member, values: Mapping[str, str]) -> tuple[OwnChoice, ...]:
    latest = visibility.read_latest(session, member.id)
    return tuple(
        OwnChoice(
            name=choice,
            label=_LABELS[choice],
            value=values.get(choice) or _MISSING[choice],
            is_shown=getattr(member, choice),
            chosen=visibility.describe_to_member(visibility.pick_latest(latest, member, choice)),
            press=_press(member, choice),
            members_name=TO_MEMBERS[choice],
            is_to_members=is_for_members(member, choice),
            members_press=_press(member, TO_MEMBERS[choice]),
        )
        for choice in CHOICES
    )


def _press(member: Member, choice: str) -> str:
    return WORDINGS[choice].hide if getattr(member, choice) else WORDINGS[choice].label
