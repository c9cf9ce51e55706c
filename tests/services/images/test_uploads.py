"""Who may send an image, which address a form may name, and when a picture goes."""

from collections.abc import Callable
from datetime import datetime

import pytest
from sqlmodel import Session

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.infra import image_store
from clubapp.jobs import schedule
from clubapp.models import EmailSignature, Member
from clubapp.refusals import Forbidden, Invalid
from clubapp.services.base.actors import SYSTEM, VISITOR, Actor
from clubapp.services.images import uploads
from tests import images
from tests.factories import add_company, add_event, add_member
from tests.stores import s3, store

__all__ = ["s3", "store"]

JPEG = images.encoded(images.quarters(), "JPEG")


def of(member: Member) -> Actor:
    return Actor(email=member.email or "", member_id=member.id, session_id="s")


def test_a_visitor_sends_nothing(club: str) -> None:
    with reading() as session:
        for bucket in image_store.BUCKETS:
            with pytest.raises(Forbidden):
                uploads.require_upload_right(session, VISITOR, bucket)


def test_a_member_sends_their_photograph_and_the_logo_of_the_company_they_have(club: str) -> None:
    with transaction() as session:
        alone = of(add_member(session))
        employed = of(add_member(session, "Luc", "luc@x.example", company_id=add_company(session).id))
        for person in (alone, employed, SYSTEM):
            uploads.require_upload_right(session, person, "avatars")
        for person in (employed, SYSTEM):
            uploads.require_upload_right(session, person, "logos")
        with pytest.raises(Forbidden, match="Aucune entreprise"):
            uploads.require_upload_right(session, alone, "logos")


def test_what_was_sent_for_the_same_use_may_be_chosen(club: str) -> None:
    face, logo = uploads.store_image("avatars", JPEG), uploads.store_image("logos", JPEG)
    with reading() as session:
        assert uploads.check_image_address(session, "avatars", f" {face} ") == face
        assert uploads.check_image_address(session, "logos", logo) == logo
        assert uploads.check_image_address(session, "avatars", "") == ""


@pytest.mark.parametrize(
    "address",
    [
        "https://elsewhere.example/x.jpg",
        "//elsewhere.example/x.jpg",
        "javascript:alert(1)",
        "/media/avatars/../../club.sqlite3",
        "/media/avatars/1795212000000-0123456789abcdef.jpg",
        "/avatars/MD-3.png",
        "/media/avatars/",
    ],
)
def test_no_other_address_may_be_chosen(club: str, address: str) -> None:
    with reading() as session, pytest.raises(Invalid, match="choisissez-la à nouveau") as refusal:
        uploads.check_image_address(session, "avatars", address)
    assert refusal.value.field == "image_url"


def test_neither_the_other_bucket_nor_someone_else_s_picture_may_be_chosen(club: str) -> None:
    logo, face = uploads.store_image("logos", JPEG), uploads.store_image("avatars", JPEG)
    with transaction() as session:
        add_member(session, image_url=face)
        for address in (logo, face):
            with pytest.raises(Invalid):
                uploads.check_image_address(session, "avatars", address)


def test_an_address_that_was_there_before_may_stay(club: str) -> None:
    with reading() as session:
        older = "https://older.example/photo.jpg"
        assert uploads.check_image_address(session, "avatars", older, before=older) == older


def kept() -> set[str]:
    return {image_store.address(one.path) for bucket in image_store.BUCKETS for one in image_store.list_images(bucket)}


def use(session: Session, face: str, logo: str, signature: str) -> None:
    add_member(session, image_url=face)
    add_company(session, logo_url=logo)
    session.add(
        EmailSignature(sender_name="H", sender_role="A", company_name="C", logo_url=signature, updated_at=clock.now())
    )


def test_what_nothing_shows_goes_after_a_day(club: str, store: str, at: Callable[[str], datetime]) -> None:
    """The store has its own clock: ours is moved far beyond it."""
    used = [
        uploads.store_image("avatars", JPEG),
        uploads.store_image("logos", JPEG),
        uploads.store_image("logos", JPEG),
    ]
    left = [uploads.store_image("avatars", JPEG), uploads.store_image("logos", JPEG)]
    with transaction() as session:
        use(session, *used)
    schedule.remove_unused_images()
    assert kept() == {*used, *left}
    at("2095-01-01T00:00")
    schedule.remove_unused_images()
    assert kept() == set(used)
    with reading() as session:
        assert uploads.remove_unused(session) == 0


def test_a_picture_in_the_text_of_a_mail_is_public_and_stays(
    club: str, store: str, at: Callable[[str], datetime]
) -> None:
    shown, left = uploads.store_image("logos", JPEG), uploads.store_image("logos", JPEG)
    with transaction() as session:
        add_event(session, reminder_1_template=f'<!--html--><p>Voici <img src="{shown}" alt="la salle"></p>')
    with reading() as session:
        assert uploads.list_public_addresses(session) == {shown}
    at("2095-01-01T00:00")
    schedule.remove_unused_images()
    assert kept() == {shown} != {left}


def test_the_job_runs_by_itself() -> None:
    assert schedule.remove_unused_images in {job.run for job in schedule.JOBS}
