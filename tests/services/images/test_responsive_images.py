"""A page knows the room a picture takes and the sizes it comes in, without opening it."""

import pytest

from clubapp.database import transaction
from clubapp.infra import image_store
from clubapp.services.demo import portraits
from clubapp.services.images import processing, resize_cache, responsive_images
from clubapp.services.images.responsive_images import Picture
from tests import images
from tests.factories import add_member

ADDRESS = "/media/avatars/1795212000000-0123456789abcdef.jpg"


def test_the_landing_page_shows_the_photograph_of_an_animator_who_publishes_one(club: str) -> None:
    bundled = responsive_images.BUNDLED_PORTRAIT
    with transaction() as session:
        member = add_member(
            session, name="Hélène CAUDRELIER", email="helene@beffroi.example", image_url="/media/avatars/a.jpg"
        )
        add_member(session, name="Marie Durand", image_url="/media/avatars/b.jpg")
        assert responsive_images.read_animator_portrait(session).address == "/media/avatars/a.jpg"
        member.shows_photo = False
        session.flush()
        assert responsive_images.read_animator_portrait(session) == bundled


def test_a_face_comes_in_two_sizes() -> None:
    shown = responsive_images.list_picture(ADDRESS)
    assert shown == Picture(src=f"{ADDRESS}?w=64", srcset=f"{ADDRESS}?w=128 2x", width=64, height=64)
    assert shown.address == ADDRESS


def test_a_portrait_comes_in_three() -> None:
    shown = responsive_images.portrait_picture(ADDRESS, "Zoé Lefèbvre")
    assert shown.srcset == f"{ADDRESS}?w=192 192w, {ADDRESS}?w=384 384w, {ADDRESS}?w=768 768w"
    assert "168px" in shown.sizes
    assert shown.address == ADDRESS


@pytest.mark.parametrize("place", [responsive_images.FACE, responsive_images.PORTRAIT])
def test_every_size_offered_is_served(place: responsive_images.PicturePlace) -> None:
    assert set(place.offered) <= set(processing.WIDTHS)


@pytest.mark.parametrize(
    "address", ["", "https://elsewhere.example/x.jpg", "//elsewhere.example/x.jpg", "/\\elsewhere.example", "x.jpg"]
)
def test_no_picture_comes_from_elsewhere(address: str) -> None:
    assert responsive_images.list_picture(address) == Picture()
    assert responsive_images.portrait_picture(address, "Zoé Lefèbvre").src.startswith("/avatars/ZL-")
    assert responsive_images.logo_picture(address, "Nord Logis Transport").src == "/avatars/NLT.png"


def test_initials_come_in_one_size() -> None:
    shown = responsive_images.portrait_picture("", "Zoé Lefèbvre")
    assert (shown.srcset, shown.sizes, shown.width, shown.height) == ("", "", 168, 168)


def test_a_removed_photograph_leaves_nothing_behind(environment: pytest.MonkeyPatch) -> None:
    path = image_store.save("avatars", images.encoded(images.quarters(), "JPEG"))
    resize_cache.make_size(path, 96, "webp")
    responsive_images.remove_picture(image_store.address(path))
    assert not image_store.exists(path)
    assert resize_cache.read_size(path, 96, "webp") is None
    for other in ("", "/avatars/ZL-3.png", "https://elsewhere.example/x.jpg", "/media/avatars/../../club.sqlite3"):
        responsive_images.remove_picture(other)


def test_the_same_member_of_the_demo_club_has_the_same_face(environment: pytest.MonkeyPatch) -> None:
    made = {
        portraits.draw_portrait(portraits.choose_look(portraits.Random(str(seed)), "fm"[seed % 2]))
        for seed in range(40)
    }
    assert len(made) == 40
    assert images.decoded(made.pop()).size == (400, 400)
