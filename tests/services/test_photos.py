"""A page knows the room a picture takes and the sizes it comes in, without opening it."""

import pytest

from clubapp import media
from clubapp.services import photos, pictures, variants
from clubapp.services.demo import portraits
from clubapp.services.photos import Picture
from tests import images

ADDRESS = "/media/avatars/1795212000000-0123456789abcdef.jpg"


def test_a_face_comes_in_two_sizes() -> None:
    shown = photos.face(ADDRESS)
    assert shown == Picture(src=f"{ADDRESS}?w=64", srcset=f"{ADDRESS}?w=128 2x", width=64, height=64)
    assert shown.address == ADDRESS


def test_a_portrait_comes_in_three() -> None:
    shown = photos.portrait(ADDRESS, "Zoé Lefèbvre")
    assert shown.srcset == f"{ADDRESS}?w=192 192w, {ADDRESS}?w=384 384w, {ADDRESS}?w=768 768w"
    assert "168px" in shown.sizes
    assert shown.address == ADDRESS


@pytest.mark.parametrize("place", [photos.FACE, photos.PORTRAIT])
def test_every_size_offered_is_served(place: photos.Place) -> None:
    assert set(place.offered) <= set(pictures.WIDTHS)


@pytest.mark.parametrize(
    "address", ["", "https://elsewhere.example/x.jpg", "//elsewhere.example/x.jpg", "/\\elsewhere.example", "x.jpg"]
)
def test_no_picture_comes_from_elsewhere(address: str) -> None:
    assert photos.face(address) == Picture()
    assert photos.portrait(address, "Zoé Lefèbvre").src.startswith("/avatars/ZL-")
    assert photos.logo(address, "Nord Logis Transport").src == "/avatars/NLT.png"


def test_initials_come_in_one_size() -> None:
    shown = photos.portrait("", "Zoé Lefèbvre")
    assert (shown.srcset, shown.sizes, shown.width, shown.height) == ("", "", 168, 168)


def test_a_removed_photograph_leaves_nothing_behind(environment: pytest.MonkeyPatch) -> None:
    path = media.save("avatars", images.encoded(images.quarters(), "JPEG"))
    variants.make(path, 96, "webp")
    photos.remove(media.address(path))
    assert not media.exists(path)
    assert variants.kept(path, 96, "webp") is None
    for other in ("", "/avatars/ZL-3.png", "https://elsewhere.example/x.jpg", "/media/avatars/../../club.sqlite3"):
        photos.remove(other)


def test_the_same_member_of_the_demo_club_has_the_same_face(environment: pytest.MonkeyPatch) -> None:
    made = {portraits.portrait(portraits.look(portraits.Random(str(seed)), "fm"[seed % 2])) for seed in range(40)}
    assert len(made) == 40
    assert images.decoded(made.pop()).size == (400, 400)
