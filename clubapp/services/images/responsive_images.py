"""The `img` attributes of pictures: offered sizes and layout dimensions, without opening a file.

Members' photographs are square, and styles fit logos into a square box. So the dimensions are known beforehand and the
layout does not shift when a picture is loaded.

A photograph is renamed whenever it becomes hidden, so that its former URLs stop working, and deleted when another one
or none takes its place (W16).
"""

import logging
from dataclasses import dataclass
from typing import Any

from sqlalchemy import event, inspect
from sqlalchemy.orm import object_session
from sqlmodel import Session, col, select

from clubapp import tokens
from clubapp.infra import image_store
from clubapp.models import Member
from clubapp.refusals import NotFound
from clubapp.services.images import initials, resize_cache

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Picture:
    """The attributes of an `img`. Without `src` there is no picture; without `srcset` only one size."""

    src: str = ""
    srcset: str = ""
    sizes: str = ""
    width: int = 0
    height: int = 0

    @property
    def address(self) -> str:
        """The URL of the original picture, for share cards and structured data."""
        return self.src.partition("?")[0]


NO_PICTURE = Picture()


@dataclass(frozen=True)
class PicturePlace:
    """A place in the layout: its side in pixels and the offered widths.

    With `sizes`, its width depends on the screen. Without, the second width is for screens of double density, given as
    a `2x` descriptor.
    """

    side: int
    offered: tuple[int, ...]
    sizes: str = ""


FACE = PicturePlace(64, (64, 128))
PORTRAIT = PicturePlace(168, (192, 384, 768), "(width >= 640px) 168px, 132px")
LANDING_PORTRAIT = PicturePlace(416, (384, 768), "(width >= 960px) 416px, 100vw")
BUNDLED_PORTRAIT = Picture(src=initials.ANIMATOR_PORTRAIT, width=416, height=386)

# The photograph of a member is public while all of these are set.
_FLAGS = ("is_active", "is_listed", "shows_photo")
IS_PUBLIC = tuple(col(getattr(Member, flag)) for flag in _FLAGS)
_USELESS = "useless_pictures"
_MOST_NAMES = 16


def list_picture(image_url: str) -> Picture:
    """An uploaded picture in a list; empty when there is none."""
    return _placed(image_url, FACE)


def member_picture(image_url: str, name: str) -> Picture:
    """The picture of a member in a list; empty when initials are shown, so never of the animator."""
    shown = list_picture(image_url)
    return shown if shown.src or not initials.is_animator(name) else _placed(initials.ANIMATOR_PORTRAIT, FACE)


def face_picture(image_url: str, name: str) -> Picture:
    """The photograph of a person in a list, or initials."""
    return list_picture(image_url) if is_own_address(image_url) else _placed(initials.person_image_url(name), FACE)


def portrait_picture(image_url: str, name: str) -> Picture:
    """The photograph on a member's page."""
    return (
        _placed(image_url, PORTRAIT)
        if is_own_address(image_url)
        else _placed(initials.person_image_url(name), PORTRAIT)
    )


def read_animator_portrait(session: Session) -> Picture:
    """The animator's picture on the landing page: their own public photograph, or the bundled portrait."""
    shown = select(Member.name, Member.image_url).where(*IS_PUBLIC, col(Member.image_url) != "")
    own = (url for name, url in session.exec(shown) if initials.is_animator(name) and is_own_address(url))
    return next((_placed(url, LANDING_PORTRAIT) for url in own), BUNDLED_PORTRAIT)


def logo_picture(logo_url: str, name: str) -> Picture:
    """The logo on a company's page."""
    return (
        _placed(logo_url, PORTRAIT) if is_own_address(logo_url) else _placed(initials.company_image_url(name), PORTRAIT)
    )


def is_own_address(address: str) -> bool:
    """Whether a picture is on this site: pages load nothing from other origins (W10)."""
    return address.startswith("/") and not address.startswith(("//", "/\\"))


def remove_picture(image_url: str) -> None:
    """Delete an uploaded picture and its cached sizes; any other address is ignored."""
    if path := image_store.path_in(image_url):
        image_store.delete(path)
        resize_cache.delete_sizes(path)


def remove_once_committed(session: Session, image_url: str) -> None:
    """Delete an uploaded picture once the transaction is committed."""
    session.info.setdefault(_USELESS, []).append(image_url)


def is_former_address(image_url: str, now: str) -> bool:
    """Whether `image_url` was the address of the photograph `now` before it was hidden."""
    path = image_store.path_in(image_url)
    for _ in range(_MOST_NAMES if path else 0):
        path = _next_path(path)
        if image_store.address(path) == now:
            return True
    return False


@event.listens_for(Session, "after_commit")
def _remove_useless(session: Session) -> None:
    if session.in_nested_transaction():  # a savepoint: the outer transaction can still be rolled back
        return
    for image_url in session.info.pop(_USELESS, ()):
        try:
            remove_picture(image_url)
        except Exception:  # the store is unavailable: `remove_unused` removes it later
            log.warning("a picture stays for now: %s", image_url, exc_info=True)


@event.listens_for(Session, "after_soft_rollback")
def _remove_nothing(session: Session, _transaction: object) -> None:
    """Forget the pictures to remove, after a rollback of a savepoint too: `remove_unused` removes unused ones."""
    session.info.pop(_USELESS, None)


@event.listens_for(Member, "before_update")
def _remove_replaced(_mapper: Any, _connection: Any, member: Member) -> None:
    session, history = object_session(member), inspect(member).attrs["image_url"].history
    if session is None or not history.has_changes():
        return
    useless = session.info.setdefault(_USELESS, [])
    useless[:] = [image_url for image_url in (*useless, *history.deleted) if image_url != member.image_url]


@event.listens_for(Member, "before_update")
def _rename_hidden(_mapper: Any, _connection: Any, member: Member) -> None:
    session, seen = object_session(member), inspect(member).attrs
    if session is None or not _becomes_hidden([seen[flag].history for flag in _FLAGS]):
        return
    known = {member.image_url, *seen["image_url"].history.deleted}
    member.image_url = _renamed(member.image_url)
    for image_url in known - {member.image_url}:
        remove_once_committed(session, image_url)  # type: ignore[arg-type] - typed as SQLAlchemy's


def _becomes_hidden(flags: list[Any]) -> bool:
    was_hidden = any(False in (*flag.deleted, *flag.unchanged) for flag in flags)
    return not was_hidden and any(False in flag.added for flag in flags)


def _renamed(image_url: str) -> str:
    """Copy an uploaded picture to a new address and return it; the old one when it cannot be copied."""
    path = image_store.path_in(image_url)
    if not path:
        return image_url
    try:
        image_store.restore_image(_next_path(path), image_store.read(path))
    except NotFound:
        return image_url
    except Exception:  # the store is unavailable: hiding a photograph does not depend on it
        log.warning("a hidden picture keeps its name: %s", image_url, exc_info=True)
        return image_url
    return image_store.address(_next_path(path))


def _next_path(path: str) -> str:
    """The next name of a picture: derived with the signing key, so that only this program can follow it."""
    return f"{path.partition('-')[0]}-{tokens.keyed_fingerprint('hidden-photo', path)[:16]}.jpg"


def _placed(address: str, place: PicturePlace) -> Picture:
    if not is_own_address(address):
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
