"""Pictures as the pages place them: which sizes to offer, and the room to keep, without opening any file.

Members' photographs are square crops; logos have any shape, and styles fit them into a square box. So the room is
known beforehand, and nothing moves when a picture arrives.

A photograph that becomes hidden gets a new name by itself, whoever writes the member: what browsers, caches and people
know of it leads nowhere from then on (W16).
"""

import logging
from dataclasses import dataclass
from typing import Any

from sqlalchemy import event, inspect
from sqlalchemy.orm import object_session
from sqlmodel import Session, col

from clubapp import tokens
from clubapp.infra import image_store
from clubapp.models import Member
from clubapp.refusals import NotFound
from clubapp.services.images import initials, resize_cache

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Picture:
    """What an `img` needs. Without a `src` there is no picture; without a `srcset` there is one size of it."""

    src: str = ""
    srcset: str = ""
    sizes: str = ""
    width: int = 0
    height: int = 0

    @property
    def address(self) -> str:
        """The whole picture, for readers of links and data; browsers are offered its sizes."""
        return self.src.partition("?")[0]


NO_PICTURE = Picture()


@dataclass(frozen=True)
class Place:
    """Where a picture stands: the room kept for it in pixels, and the widths offered for that.

    With `sizes`, the styles give it other widths on other screens; without, the second width is for a screen twice as
    fine, which is shorter and leaves browsers no choice to be mean.
    """

    side: int
    offered: tuple[int, ...]
    sizes: str = ""


FACE = Place(64, (64, 128))
PORTRAIT = Place(168, (192, 384, 768), "(width >= 640px) 168px, 132px")

# Everybody sees the photograph of a member who is all of these.
_FLAGS = ("is_active", "is_listed", "shows_photo")
IS_PUBLIC = tuple(col(getattr(Member, flag)) for flag in _FLAGS)
_USELESS = "useless_pictures"
_MOST_NAMES = 16


def face(image_url: str) -> Picture:
    """A member in a list; no picture when initials stand in for it."""
    return _placed(image_url, FACE)


def portrait(image_url: str, name: str) -> Picture:
    """A member on their own page."""
    return _placed(image_url, PORTRAIT) if is_ours(image_url) else _placed(initials.person_image(name), PORTRAIT)


def logo(logo_url: str, name: str) -> Picture:
    """A company on its own page."""
    return _placed(logo_url, PORTRAIT) if is_ours(logo_url) else _placed(initials.company_image(name), PORTRAIT)


def is_ours(address: str) -> bool:
    """Whether a picture is on this site: pages ask nothing of any other origin (W10)."""
    return address.startswith("/") and not address.startswith(("//", "/\\"))


def remove(image_url: str) -> None:
    """Delete an uploaded picture and every size made of it; any other address is left alone."""
    if path := image_store.path_in(image_url):
        image_store.delete(path)
        resize_cache.delete_sizes(path)


def remove_once_committed(session: Session, image_url: str) -> None:
    """The same, once what made the picture useless is stored: a change that is taken back loses nothing."""
    session.info.setdefault(_USELESS, []).append(image_url)


def is_former(image_url: str, now: str) -> bool:
    """Whether a photograph had that address before it was hidden, so that a form opened then still means it."""
    path = image_store.path_in(image_url)
    for _ in range(_MOST_NAMES if path else 0):
        path = _next_path(path)
        if image_store.address(path) == now:
            return True
    return False


@event.listens_for(Session, "after_commit")
def _remove_useless(session: Session) -> None:
    if session.in_nested_transaction():  # a savepoint: all of it can still be taken back
        return
    for image_url in session.info.pop(_USELESS, ()):
        try:
            remove(image_url)
        except Exception:  # a store that is away, of either kind: the daily sweep comes again
            log.warning("a picture stays for now: %s", image_url, exc_info=True)


@event.listens_for(Session, "after_soft_rollback")
def _remove_nothing(session: Session, _transaction: object) -> None:
    """Of a savepoint too: what stays without a use, the daily sweep removes."""
    session.info.pop(_USELESS, None)


@event.listens_for(Member, "before_update")
def _rename_hidden(_mapper: Any, _connection: Any, member: Member) -> None:
    session, seen = object_session(member), inspect(member).attrs
    if session is None or not _becomes_hidden([seen[flag].history for flag in _FLAGS]):
        return
    known = {member.image_url, *seen["image_url"].history.deleted}
    member.image_url = _renamed(member.image_url)
    for image_url in known - {member.image_url}:
        remove_once_committed(session, image_url)  # type: ignore[arg-type]


def _becomes_hidden(flags: list[Any]) -> bool:
    was_hidden = any(False in (*flag.deleted, *flag.unchanged) for flag in flags)
    return not was_hidden and any(False in flag.added for flag in flags)


def _renamed(image_url: str) -> str:
    """The address of a copy of an uploaded picture; without one, the picture keeps the address it has."""
    path = image_store.path_in(image_url)
    if not path:
        return image_url
    try:
        image_store.put_back(_next_path(path), image_store.read(path))
    except NotFound:
        return image_url
    except Exception:  # a store that is away, of either kind: nobody waits for it to hide their photograph
        log.warning("a hidden picture keeps its name: %s", image_url, exc_info=True)
        return image_url
    return image_store.address(_next_path(path))


def _next_path(path: str) -> str:
    """The name after this one. Nobody can tell it from this one; we can, for forms that were opened before."""
    return f"{path.partition('-')[0]}-{tokens.keyed_fingerprint('hidden-photo', path)[:16]}.jpg"


def _placed(address: str, place: Place) -> Picture:
    if not is_ours(address):
        return NO_PICTURE
    if not image_store.path_in(address):
        return Picture(src=address, width=place.side, height=place.side)
    files = [f"{address}?w={width}" for width in place.offered]
    wide = [f"{file} {width}w" for file, width in zip(files, place.offered, strict=True)]
    return Picture(
        src=files[0],
        srcset=", ".join(wide) if place.sizes else f"{files[1]} 2x",
        sizes=place.sizes,
        width=place.side,
        height=place.side,
    )
