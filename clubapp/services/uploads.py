"""Images that people send: who may, what is kept of them, and when it goes (W3, W7, specification, section 7)."""

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import select
from sqlmodel import Session, col

from clubapp import clock, media
from clubapp.media import Bucket
from clubapp.models import Company, EmailSignature, Member
from clubapp.refusals import Forbidden, Invalid
from clubapp.services import photos, pictures, sent_files
from clubapp.services.actors import Actor, require_member

UNUSED_FOR = timedelta(days=1)
NOT_KEPT = "Cette image n'est plus disponible\u00a0: choisissez-la à nouveau."
NO_COMPANY = "Aucune entreprise n'est associée à votre fiche."
# Every place that shows a kept picture.
_PLACES = {"avatars": (col(Member.image_url),), "logos": (col(Company.logo_url), col(EmailSignature.logo_url))}


def require_sender(session: Session, actor: Actor, bucket: Bucket) -> None:
    """Administrators send any image; a member their own photograph, and the logo of the company they have.

    Raises:
        Forbidden: for anyone else.
    """
    if actor.is_admin:
        return
    member = session.get(Member, require_member(actor))
    if member is None or (bucket == "logos" and member.company_id is None):
        raise Forbidden(NO_COMPANY)


def admit(session: Session, actor: Actor, bucket: Bucket) -> None:
    """Let someone send one image more.

    Raises:
        Forbidden: as `require_sender`.
        TooMany: when they have sent many lately.
    """
    require_sender(session, actor, bucket)
    sent_files.count(session, actor, bucket)


def keep(bucket: Bucket, content: bytes) -> str:
    """The address under which the image drawn from a file is kept. Nothing is written when it is refused (W8).

    Raises:
        Invalid: when the file is too heavy, too large, of another format, or unreadable.
    """
    return media.address(media.save(bucket, pictures.accept(content)))


def chosen(session: Session, bucket: Bucket, address: str, before: str = "") -> str:
    """The address to store for a form's image: none, the one `before`, or one that was sent here for that (W3).

    Raises:
        Invalid: when it is of anywhere else, gone, or someone else's picture.
    """
    address = address.strip()
    if address in ("", before):
        return address
    path = media.path_in(address)
    if not path.startswith(f"{bucket}/") or address in _used(session, bucket, [address]) or not media.exists(path):
        raise Invalid(NOT_KEPT, field="logo_url" if bucket == "logos" else "image_url")
    return address


def remove_unused(session: Session) -> int:
    """Remove the pictures that nothing has shown for a day; how many there were."""
    oldest = clock.now() - UNUSED_FOR
    removed = 0
    for bucket in media.BUCKETS:
        old = [media.address(stored.path) for stored in media.listing(bucket) if stored.saved_at < oldest]
        for address in set(old) - _used(session, bucket, old):
            photos.remove(address)
            removed += 1
    return removed


def _used(session: Session, bucket: Bucket, addresses: Sequence[str]) -> set[str]:
    queries = [select(column).where(column.in_(addresses)) for column in _PLACES[bucket]]
    return {address for query in queries for address in session.execute(query).scalars()}
