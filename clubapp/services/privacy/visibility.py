"""What the public site, and beside it the directory of members, shows of a member: each choice dated, with its wording
and who made it (P5).

Under CLUB_PUBLISH=after_consent, the e-mail, phone and photograph of who was entered by somebody else are shown once
they said yes. Nothing else: their page itself is what a club's directory is.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.models import TO_MEMBERS, ChoiceSource, Member, PublicationChoice
from clubapp.services.base.form_fields import FormCheck
from clubapp.settings import AFTER_CONSENT, settings

LISTED = "is_listed"
# Shown only once the person said yes, where the club asks before.
CONTACTS = ("shows_email", "shows_phone", "shows_photo")
ASKED = (*CONTACTS, *(TO_MEMBERS[choice] for choice in CONTACTS))
NEEDS_CONSENT = (
    "Cette personne n’a pas encore dit oui\u00a0: attendez son choix, ou cochez «\u00a0Cette personne m’a donné son "
    "accord\u00a0»."
)
SHOW_CONTACTS = "Oui, montrer mon e-mail, mon téléphone et ma photo"
HIDE_CONTACTS = "Non, ne pas les montrer"
_OWN = (ChoiceSource.MEMBER, ChoiceSource.LINK)
_DECIDED = (*_OWN, ChoiceSource.CONSENT)
_SOURCES = {
    ChoiceSource.MEMBER: "Choisi par vous le {day}",
    ChoiceSource.LINK: "Choisi par vous, depuis le message de bienvenue, le {day}",
    ChoiceSource.CONSENT: "Noté par le club, avec votre accord, le {day}",
    ChoiceSource.ADMINISTRATOR: "Choisi par le club le {day}",
    ChoiceSource.IMPORT: "Choisi par le club, en reprenant son fichier, le {day}",
}
_OF_OTHERS = {
    ChoiceSource.MEMBER: "choix du membre, {day}",
    ChoiceSource.LINK: "choix du membre par le message de bienvenue, {day}",
    ChoiceSource.CONSENT: "avec son accord, noté par {who}, {day}",
    ChoiceSource.ADMINISTRATOR: "choix de {who}, {day}",
    ChoiceSource.IMPORT: "import de {who}, {day}",
}


@dataclass(frozen=True)
class Wording:
    """How a member is asked: the label and hint of the switch, and the words of the button that takes it back."""

    label: str
    hint: str
    hide: str


WORDINGS = {
    LISTED: Wording(
        "Figurer dans l’annuaire",
        "Si vous décochez, votre page, votre carte et votre place dans l’équipe de votre entreprise disparaissent. "
        "Vous restez membre, et continuez de recevoir les invitations.",
        "Ne plus figurer dans l’annuaire",
    ),
    "shows_email": Wording(
        "Montrer mon e-mail", "Sinon, les messages passent par le club.", "Ne pas montrer mon e-mail"
    ),
    "shows_phone": Wording(
        "Montrer mon téléphone", "Sinon, personne ne le voit en ligne.", "Ne pas montrer mon téléphone"
    ),
    "shows_photo": Wording("Montrer ma photo", "Sinon, vos initiales la remplacent.", "Ne pas montrer ma photo"),
    TO_MEMBERS[LISTED]: Wording(
        "Apparaître dans l’annuaire des membres",
        "Votre nom, votre fonction, votre entreprise et votre métier, pour les seuls membres connectés.",
        "Ne plus apparaître dans l’annuaire des membres",
    ),
    TO_MEMBERS["shows_email"]: Wording(
        "Laisser les membres voir mon e-mail",
        "Pour que l’un d’eux vous écrive sans passer par le club.",
        "Ne plus laisser les membres voir mon e-mail",
    ),
    TO_MEMBERS["shows_phone"]: Wording(
        "Laisser les membres voir mon téléphone",
        "Pour que l’un d’eux vous appelle.",
        "Ne plus laisser les membres voir mon téléphone",
    ),
    TO_MEMBERS["shows_photo"]: Wording(
        "Laisser les membres voir ma photo",
        "Pour que l’on se reconnaisse aux rencontres.",
        "Ne plus laisser les membres voir ma photo",
    ),
}
# What the site shows; `WORDINGS` has the choices for members too.
CHOICES = tuple(TO_MEMBERS)


@dataclass(frozen=True)
class Made:
    """Whose choice it is, and where it was made."""

    via: ChoiceSource
    by: str


def asks_before(entered_via: str) -> bool:
    """Whether someone who is entered now says yes before their e-mail, phone and photograph are shown."""
    return bool(entered_via) and settings().publish == AFTER_CONSENT


def record_choices(
    session: Session, member: Member, chosen: Collection[str], wordings: Mapping[str, str], made: Made
) -> None:
    """Keep how the columns `chosen` of a member now stand, each with the words that were read."""
    session.add_all(
        PublicationChoice(
            member_id=member.id,
            choice=choice,
            is_shown=getattr(member, choice),
            wording=wordings[choice],
            via=made.via,
            made_by=made.by,
            at=clock.now(),
        )
        for choice in chosen
    )


def set_choices(session: Session, member: Member, chosen: Mapping[str, tuple[bool, str]], made: Made) -> list[str]:
    """Set columns of a member to what they chose: by column, whether it is shown and the words they read.

    A choice that changes nothing is kept too: it is a yes or a no to what stands. Returns the changed columns.
    """
    changed = [choice for choice, (is_shown, _) in chosen.items() if getattr(member, choice) != is_shown]
    for choice, (is_shown, _) in chosen.items():
        setattr(member, choice, is_shown)
    record_choices(session, member, chosen, {choice: words for choice, (_, words) in chosen.items()}, made)
    member.updated_at = clock.now()
    session.flush()
    return changed


def decide_contacts(session: Session, member: Member, is_shown: bool, made: Made) -> list[str]:
    """A member's yes or no to their e-mail, phone and photograph at once; a no counts for members too.

    Returns the changed columns.
    """
    words = SHOW_CONTACTS if is_shown else HIDE_CONTACTS
    chosen = list_decided(member, is_shown)
    return set_choices(session, member, dict.fromkeys(chosen, (is_shown, words)), made)


def list_decided(member: Member, is_shown: bool) -> tuple[str, ...]:
    """The columns that a yes or no to all contacts is about."""
    return CONTACTS if is_shown else tuple(name for name in ASKED if name in CONTACTS or getattr(member, name))


def has_said(session: Session, member: Member, chosen: Collection[str], is_shown: bool) -> bool:
    """Whether the member said last themselves what stands of all these columns: the same again is nothing new."""
    latest = read_latest(session, member.id)
    return all(
        getattr(member, choice) == is_shown
        and (made := latest.get(choice)) is not None
        and (made.via in _OWN, made.is_shown) == (True, is_shown)
        for choice in chosen
    )


def list_withheld(session: Session, member_id: str | None = None) -> set[tuple[str, str]]:
    """What waits for a yes: a member's id with a column, of one member or of all.

    A yes to what the site shows is one to what members see.
    """
    which = (Member.id == member_id,) if member_id else ()
    asked = session.exec(select(Member.id).where(Member.needs_consent, *which)).all()
    if not asked:
        return set()
    agreed = select(PublicationChoice.member_id, PublicationChoice.choice).where(
        PublicationChoice.is_shown,
        col(PublicationChoice.via).in_(_DECIDED),
        *((PublicationChoice.member_id == member_id,) if member_id else ()),
    )
    said = set(session.exec(agreed).all())
    said |= {(each, TO_MEMBERS[choice]) for each, choice in said if choice in TO_MEMBERS}
    return {(each, choice) for each in asked for choice in ASKED} - said


def check_consent(found: FormCheck, member: Member, wanted: Mapping[str, Any], withheld: set[tuple[str, str]]) -> None:
    """Refuse the columns of a form that would show what the member has not yet said yes to."""
    for choice in ASKED:
        if wanted[choice] and not getattr(member, choice) and (member.id, choice) in withheld:
            found.errors[choice] = NEEDS_CONSENT


def has_chosen(session: Session, member_id: str) -> bool:
    """Whether the member said themselves what is shown of them."""
    return _has_choice(session, member_id, _OWN)


def is_awaited(session: Session, member: Member) -> bool:
    """Whether the club waits for a first yes or no of the member to their e-mail, phone and photograph."""
    return member.needs_consent and not _has_choice(session, member.id, _DECIDED)


def read_latest(session: Session, member_id: str) -> dict[str, PublicationChoice]:
    """The latest choice of each column."""
    query = select(PublicationChoice).where(PublicationChoice.member_id == member_id)
    return {row.choice: row for row in session.exec(query.order_by(col(PublicationChoice.at)))}


def pick_latest(latest: Mapping[str, PublicationChoice], member: Member, choice: str) -> PublicationChoice | None:
    """Of `read_latest`, what was last said of a choice: of what the site hides, the choice for members as well."""
    made = [latest.get(choice), None if getattr(member, choice) else latest.get(TO_MEMBERS[choice])]
    return max((row for row in made if row), key=lambda row: row.at, default=None)


def describe_to_member(made: PublicationChoice | None) -> str:
    """'Choisi par vous le 3 mars 2026'; empty without a choice on record."""
    return _SOURCES[ChoiceSource(made.via)].format(day=clock.plain_day(made.at)) if made else ""


def describe_to_administrator(made: PublicationChoice | None) -> str:
    """'choix de helene@beffroi.example, 3 mars 2026'; empty without a choice on record."""
    if made is None:
        return ""
    return _OF_OTHERS[ChoiceSource(made.via)].format(day=clock.plain_day(made.at), who=made.made_by)


def _has_choice(session: Session, member_id: str, sources: tuple[ChoiceSource, ...]) -> bool:
    query = select(PublicationChoice.id).where(
        PublicationChoice.member_id == member_id, col(PublicationChoice.via).in_(sources)
    )
    return session.exec(query.limit(1)).first() is not None
