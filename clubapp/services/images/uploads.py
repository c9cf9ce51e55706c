"""Uploaded images: who may send and see them, storing them, removing unused ones (W3, W7, W16)."""

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import select
from sqlmodel import Session, col

from clubapp import clock, routes
from clubapp.infra import image_store
from clubapp.infra.image_store import Bucket
from clubapp.mail.messages.formatted_text import find_pictures
from clubapp.models import BroadcastEmail, Company, EmailReminderSetting, EmailSignature, Event, Member, for_members
from clubapp.refusals import Forbidden, Invalid
from clubapp.services.base import upload_quota
from clubapp.services.base.actors import Actor, require_member
from clubapp.services.base.form_fields import FormCheck
from clubapp.services.images import processing, responsive_images

UNUSED_FOR = timedelta(days=1)
NOT_KEPT = "Cette image n’est plus disponible\u00a0: choisissez-la à nouveau."
_FIELDS = {"avatars": "image_url", "logos": "logo_url"}
NO_COMPANY = "Aucune entreprise n’est associée à votre fiche."
# Every column that holds the address of an uploaded picture.
_PLACES = {"avatars": (col(Member.image_url),), "logos": (col(Company.logo_url), col(EmailSignature.logo_url))}

# Every column with the text of a mail that may show some.
_TEXTS = (
    col(Event.email_template),
    col(Event.reminder_1_template),
    col(Event.reminder_2_template),
    col(EmailReminderSetting.template_content),
    col(EmailReminderSetting.unanswered_content),
    col(BroadcastEmail.content),
    col(EmailSignature.custom_html),
)


def require_upload_right(session: Session, actor: Actor, bucket: Bucket) -> None:
    """Require the right to send an image: administrators any, members their own photograph and their company's logo.

    Raises:
        Forbidden: for anyone else.
    """
    if actor.is_admin:
        return
    member = session.get(Member, require_member(actor))
    if member is None or (bucket == "logos" and member.company_id is None):
        raise Forbidden(NO_COMPANY)


def admit_upload(session: Session, actor: Actor, bucket: Bucket) -> None:
    """Check the right to send an image, and count it.

    Raises:
        Forbidden: as `require_sender`.
        TooMany: over the limit of uploads.
    """
    require_upload_right(session, actor, bucket)
    upload_quota.count_upload(session, actor, bucket)


def store_image(bucket: Bucket, content: bytes, sender: str = "") -> str:
    """Convert and store an image of a sender, given by address; return its own. A refused one is not written (W8).

    Raises:
        Invalid: when the file is too large, has another format, or cannot be read.
    """
    return image_store.address(image_store.save(bucket, processing.convert_upload(content), sender))


def check_image_address(session: Session, bucket: Bucket, address: str, before: str = "") -> str:
    """Check the image address of a form: empty, the stored one (`before`), or that of an unused upload (W3).

    Raises:
        Invalid: when it is an external address, a removed picture, or one in use elsewhere.
    """
    address = address.strip()
    if address in ("", before):
        return address
    if responsive_images.is_former_address(address, before):
        return before
    path = image_store.path_in(address)
    if (
        not path.startswith(f"{bucket}/")
        or address in _used(session, bucket, [address])
        or not image_store.exists(path)
    ):
        raise Invalid(NOT_KEPT, field=_FIELDS[bucket])
    return address


def check_form_image(
    session: Session, found: FormCheck, bucket: Bucket, address: str, before: str, *, is_stale: bool = False
) -> str:
    """The checked image address of a form, its refusal among the errors of `found`.

    A form opened on an older version (`is_stale`) may hold a picture that has been replaced since: that is an edit
    conflict and no error of this form.
    """
    try:
        return check_image_address(session, bucket, address, before)
    except Invalid as refusal:
        if not is_stale:
            found.errors[_FIELDS[bucket]] = refusal.text
        return address.strip()


def list_public_addresses(session: Session) -> frozenset[str]:
    """The addresses of all public pictures: photographs of visible members, all logos, and pictures in mails."""
    photographs = select(col(Member.image_url)).where(*responsive_images.IS_PUBLIC)
    queries = photographs, *(select(column) for column in _PLACES["logos"])
    shown = {address for query in queries for address in session.execute(query).scalars()}
    return frozenset(shown | _in_mails(session))


def may_see(session: Session, actor: Actor, path: str) -> bool:
    """Whether the actor may see a picture that is not public.

    Administrators any that a record uses, a member their own photograph and those that others show to members (P1). One
    that no record uses is seen by its sender alone, whose form shows it.
    """
    bucket, address = path.partition("/")[0], image_store.address(path)
    if image_store.is_sent_by(path, actor.email) or (actor.is_admin and _used(session, bucket, [address])):
        return True
    member = session.get(Member, actor.member_id) if actor.member_id else None
    return member is not None and (member.image_url == address or _is_shown_to_members(session, address))


def remove_unused(session: Session) -> int:
    """Remove the pictures unused for a day; return how many."""
    oldest = clock.now() - UNUSED_FOR
    removed = 0
    for bucket in image_store.BUCKETS:
        old = [
            image_store.address(stored.path) for stored in image_store.list_images(bucket) if stored.saved_at < oldest
        ]
        for address in set(old) - _used(session, bucket, old):
            responsive_images.remove_picture(address)
            removed += 1
    return removed


def remove_replaced_logo(session: Session, logo_url: str) -> None:
    """Delete a logo once the transaction is committed, for its sender too, unless a record or a mail still shows it."""
    session.flush()
    if logo_url and not _used(session, "logos", [logo_url]):
        responsive_images.remove_once_committed(session, logo_url)


def _is_shown_to_members(session: Session, address: str) -> bool:
    shown = col(Member.is_active), for_members("is_listed"), for_members("shows_photo")
    query = select(col(Member.id)).where(col(Member.image_url) == address, *shown)
    return session.execute(query.limit(1)).first() is not None


def _used(session: Session, bucket: str, addresses: Sequence[str]) -> set[str]:
    queries = [select(column).where(column.in_(addresses)) for column in _PLACES[bucket]]
    used = {address for query in queries for address in session.execute(query).scalars()}
    return used | _in_mails(session).intersection(addresses) if bucket == "logos" else used


def _in_mails(session: Session) -> set[str]:
    """The pictures that texts and signatures of mails show."""
    queries = [select(column).where(column.contains(f"{routes.MEDIA}/logos/")) for column in _TEXTS]
    return {
        address for query in queries for text in session.execute(query).scalars() for address in find_pictures(text)
    }
