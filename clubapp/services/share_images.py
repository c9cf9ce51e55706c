"""What the picture of a shared link says: a member, a company, or the club itself."""

from dataclasses import dataclass

from sqlmodel import Session

from clubapp import media
from clubapp.refusals import Invalid, NotFound
from clubapp.services import avatars, club, directory, pictures

_PHOTO_WIDTH = 384


@dataclass(frozen=True)
class ShareCard:
    """What a picture says. Someone's has a ground, initials on it if any, or a photograph when `photo` names one."""

    title: str
    kicker: str = ""
    lines: tuple[str, ...] = ()
    club: str = ""
    initials: str = ""
    ground: str = ""
    photo: str = ""
    is_person: bool = False


def member(session: Session, member_id: str) -> ShareCard:
    """A member: name, role, company, domain.

    Raises:
        NotFound: when there is none, or they left.
    """
    shown = directory.profile(session, member_id)
    return ShareCard(
        title=shown.name,
        kicker=shown.domain,
        lines=_filled(shown.role, shown.company),
        club=club.presentation().name,
        initials=avatars.initials(shown.name),
        ground=avatars.GROUNDS[avatars.ground(shown.name)],
        photo=media.path_in(shown.picture.address),
        is_person=True,
    )


def company(session: Session, company_id: str) -> ShareCard:
    """A company: name, domain, size, first services.

    Raises:
        NotFound: when there is none.
    """
    shown = directory.company(session, company_id)
    return ShareCard(
        title=shown.name,
        kicker=shown.domain,
        lines=_filled(", ".join(shown.services[:3]), shown.employees),
        club=club.presentation().name,
        initials=avatars.company_initials(shown.name),
        ground=avatars.COMPANY_GROUND,
        photo=media.path_in(shown.logo.address),
    )


def network() -> ShareCard:
    """The club."""
    shown = club.presentation()
    return ShareCard(title=shown.headline, lines=(shown.animated_by,), club=shown.name)


def photo(card: ShareCard) -> bytes:
    """The photograph of a card as a JPEG; nothing when it has none, or when it is gone or no image."""
    try:
        return pictures.variant(media.read(card.photo), _PHOTO_WIDTH, "jpeg")[0] if card.photo else b""
    except (NotFound, Invalid):
        return b""


def _filled(*lines: str) -> tuple[str, ...]:
    return tuple(line for line in lines if line)
