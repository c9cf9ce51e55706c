"""The content of share cards, the pictures shown with a shared link: of a member, a company, or the club."""

from dataclasses import dataclass

from sqlmodel import Session

from clubapp.infra import image_store
from clubapp.refusals import Invalid, NotFound
from clubapp.services.directory import for_visitors
from clubapp.services.images import initials as image_initials
from clubapp.services.images import processing
from clubapp.services.public_site import club_presentation
from clubapp.settings import ROOT

_PHOTO_WIDTH = 384
_PORTRAIT = ROOT / "assets" / "animator.png"


@dataclass(frozen=True)
class ShareCard:
    """The content of a share card: initials on a background colour, or a photograph when `photo` names one.

    `has_bundled_portrait` stands for the drawn portrait of the animator, in place of a missing photograph.
    """

    title: str
    kicker: str = ""
    lines: tuple[str, ...] = ()
    club: str = ""
    initials: str = ""
    ground: str = ""
    photo: str = ""
    has_bundled_portrait: bool = False
    is_person: bool = False


def member_card(session: Session, member_id: str) -> ShareCard:
    """The card of a member: name, role, company, domain.

    Raises:
        NotFound: when there is no such active member.
    """
    shown = for_visitors.read_member_page(session, member_id)
    photo = image_store.path_in(shown.picture.address)
    return ShareCard(
        title=shown.name,
        kicker=shown.domain,
        lines=_filled(shown.role, shown.company),
        club=club_presentation.build_presentation().name,
        initials=image_initials.person_initials(shown.name),
        ground=image_initials.GROUNDS[image_initials.pick_ground(shown.name)],
        photo=photo,
        has_bundled_portrait=not photo and image_initials.is_animator(shown.name),
        is_person=True,
    )


def company_card(session: Session, company_id: str) -> ShareCard:
    """The card of a company: name, domain, size, first services.

    Raises:
        NotFound: when there is none.
    """
    shown = for_visitors.read_company_page(session, company_id)
    return ShareCard(
        title=shown.name,
        kicker=shown.domain,
        lines=_filled(", ".join(shown.services[:3]), shown.employees),
        club=club_presentation.build_presentation().name,
        initials=image_initials.company_initials(shown.name),
        ground=image_initials.COMPANY_GROUND,
        photo=image_store.path_in(shown.logo.address),
    )


def club_card() -> ShareCard:
    """The card of the club."""
    shown = club_presentation.build_presentation()
    return ShareCard(title=shown.headline, lines=(shown.animated_by,), club=shown.name)


def read_photo(card: ShareCard) -> bytes:
    """The picture of a card as a file of pixels; empty when there is none or it cannot be read."""
    if card.has_bundled_portrait:
        return _PORTRAIT.read_bytes()
    try:
        return processing.resize_image(image_store.read(card.photo), _PHOTO_WIDTH, "jpeg")[0] if card.photo else b""
    except (NotFound, Invalid):
        return b""


def _filled(*lines: str) -> tuple[str, ...]:
    return tuple(line for line in lines if line)
