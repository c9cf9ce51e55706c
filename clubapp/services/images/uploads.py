"""Images that people send: who may, what is kept of them, who sees them, and when they go (W3, W7, W16)."""

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import select
from sqlmodel import Session, col

from clubapp import clock
from clubapp.infra import image_store
from clubapp.infra.image_store import Bucket
from clubapp.models import Company, EmailSignature, Member
from clubapp.refusals import Forbidden, Invalid
from clubapp.services.base import upload_quota
from clubapp.services.base.actors import Actor, require_member
from clubapp.services.images import processing, responsive_images

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
    upload_quota.count(session, actor, bucket)


def keep(bucket: Bucket, content: bytes) -> str:
    """The address under which the image drawn from a file is kept. Nothing is written when it is refused (W8).

    Raises:
        Invalid: when the file is too heavy, too large, of another format, or unreadable.
    """
    return image_store.address(image_store.save(bucket, processing.accept(content)))


def chosen(session: Session, bucket: Bucket, address: str, before: str = "") -> str:
    """The address to store for a form's image: none, the one `before`, or one that was sent here for that (W3).

    Raises:
        Invalid: when it is of anywhere else, gone, or someone else's picture.
    """
    address = address.strip()
    if address in ("", before):
        return address
    if responsive_images.is_former(address, before):
        return before
    path = image_store.path_in(address)
    if (
        not path.startswith(f"{bucket}/")
        or address in _used(session, bucket, [address])
        or not image_store.exists(path)
    ):
        raise Invalid(NOT_KEPT, field="logo_url" if bucket == "logos" else "image_url")
    return address


def public_addresses(session: Session) -> frozenset[str]:
    """Every picture that the public site or a mail shows: a photograph is hidden with its member, logos never."""
    photographs = select(col(Member.image_url)).where(*responsive_images.IS_PUBLIC)
    queries = photographs, *(select(column) for column in _PLACES["logos"])
    return frozenset(address for query in queries for address in session.execute(query).scalars())


def may_see(session: Session, actor: Actor, path: str) -> bool:
    """Whether someone sees a picture that is not public: administrators, and a member their own photograph.

    One that was just sent, and that no record names yet, is shown in the form of its sender: whoever may send such a
    picture sees it, if they know its name.
    """
    if actor.is_admin:
        return True
    member = session.get(Member, actor.member_id) if actor.member_id else None
    if member is None:
        return False
    bucket, address = path.partition("/")[0], image_store.address(path)
    if member.image_url == address:
        return True
    may_send = bucket == "avatars" or member.company_id is not None
    return may_send and _is_recent(path) and not _used(session, bucket, [address])


def remove_unused(session: Session) -> int:
    """Remove the pictures that nothing has shown for a day; how many there were."""
    oldest = clock.now() - UNUSED_FOR
    removed = 0
    for bucket in image_store.BUCKETS:
        old = [image_store.address(stored.path) for stored in image_store.listing(bucket) if stored.saved_at < oldest]
        for address in set(old) - _used(session, bucket, old):
            responsive_images.remove(address)
            removed += 1
    return removed


def _is_recent(path: str) -> bool:
    """Whether a picture was sent so lately that the form it is for may still be open."""
    sent_at = int(path.partition("/")[2].partition("-")[0])
    return sent_at > (clock.now() - UNUSED_FOR).timestamp() * 1000


def _used(session: Session, bucket: str, addresses: Sequence[str]) -> set[str]:
    queries = [select(column).where(column.in_(addresses)) for column in _PLACES[bucket]]
    return {address for query in queries for address in session.execute(query).scalars()}
