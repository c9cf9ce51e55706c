"""Pictures as the pages place them: which sizes to offer, and the room to keep, without opening any file.

Members' photographs are square crops; logos have any shape, and styles fit them into a square box. So the room is
known beforehand, and nothing moves when a picture arrives.
"""

import logging
from dataclasses import dataclass

from sqlalchemy import event
from sqlmodel import Session

from clubapp import media
from clubapp.services import avatars, variants

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


def face(image_url: str) -> Picture:
    """A member in a list; no picture when initials stand in for it."""
    return _placed(image_url, FACE)


def portrait(image_url: str, name: str) -> Picture:
    """A member on their own page."""
    return _placed(image_url, PORTRAIT) if is_ours(image_url) else _placed(avatars.person_image(name), PORTRAIT)


def logo(logo_url: str, name: str) -> Picture:
    """A company on its own page."""
    return _placed(logo_url, PORTRAIT) if is_ours(logo_url) else _placed(avatars.company_image(name), PORTRAIT)


def is_ours(address: str) -> bool:
    """Whether a picture is on this site: pages ask nothing of any other origin (W10)."""
    return address.startswith("/") and not address.startswith(("//", "/\\"))


def remove(image_url: str) -> None:
    """Delete an uploaded picture and every size made of it; any other address is left alone."""
    if path := media.path_in(image_url):
        media.delete(path)
        variants.forget(path)


def remove_once_committed(session: Session, image_url: str) -> None:
    """The same, once what made the picture useless is stored: a change that is taken back loses nothing."""

    def go(_session: object) -> None:
        try:
            remove(image_url)
        except Exception:  # a store that is away, of either kind: the daily sweep comes again
            log.warning("a picture stays for now: %s", image_url, exc_info=True)

    event.listen(session, "after_commit", go, once=True)


def _placed(address: str, place: Place) -> Picture:
    if not is_ours(address):
        return NO_PICTURE
    if not media.path_in(address):
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
