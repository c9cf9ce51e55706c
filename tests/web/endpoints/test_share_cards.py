"""The picture of a shared link: the right size, light, never out of date, whatever people are called."""

import io
from typing import Any

import pytest
from PIL import Image
from starlette.routing import Router
from starlette.testclient import TestClient

from clubapp import routes
from clubapp.database import transaction
from clubapp.infra import image_store
from clubapp.models import Member
from clubapp.services.images import initials
from clubapp.services.public_site.share_cards import ShareCard
from clubapp.web.endpoints import share_card_drawing, share_cards
from tests.conftest import on_sqlite
from tests.factories import add_company, add_member

pytestmark = on_sqlite

client = TestClient(Router(share_cards.routes()))
HEAVIEST = 150_000


def _opened(content: bytes) -> Image.Image:
    assert len(content) < HEAVIEST
    image = Image.open(io.BytesIO(content))
    assert (image.format, image.size) == ("PNG", (1200, 630))
    return image.convert("RGB")


def test_members_companies_and_the_club_have_their_picture(club: str) -> None:
    with transaction() as session:
        home = add_company(session, services=["Gros œuvre", "Bois"]).id
        someone = add_member(session, role="Gérante", company="Atelier", company_id=home).id
    addresses = (routes.SHARED_CLUB, routes.shared_member(someone), routes.shared_company(home))
    pictures = {_opened(client.get(address).content).tobytes() for address in addresses}
    assert len(pictures) == 3


def test_the_animator_has_the_bundled_portrait_on_theirs(club: str, environment: pytest.MonkeyPatch) -> None:
    environment.setenv("CLUB_ANIMATOR_NAME", "Hélène Caudrelier")
    with transaction() as session:
        people = [add_member(session, name, None).id for name in ("Hélène Caudrelier", "Henri Caudron")]
    pictures = [_opened(client.get(routes.shared_member(one)).content) for one in people]
    assert [_has_colour(picture, (0xE8, 0xB7, 0x95)) for picture in pictures] == [True, False]


def _has_colour(picture: Image.Image, wanted: tuple[int, int, int]) -> bool:
    """Whether the colour, or one hardly different, is in the picture."""
    shown: Any = picture.getcolors(9999)
    return any(max(abs(a - b) for a, b in zip(colour, wanted, strict=True)) < 6 for _, colour in shown)


def test_a_picture_follows_an_edit_and_is_sent_once(club: str) -> None:
    with transaction() as session:
        someone = add_member(session).id
    address = routes.shared_member(someone)
    first = client.get(address)
    assert first.headers["content-type"] == "image/png"
    assert first.headers["cache-control"] == "public, no-cache"
    again = client.get(address, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    with transaction() as session:
        found = session.get(Member, someone)
        assert found is not None
        found.role = "Présidente"
    edited = client.get(address, headers={"if-none-match": first.headers["etag"]})
    assert edited.status_code == 200
    assert edited.content != first.content


@pytest.mark.parametrize(
    "address", ["/partage/membre/nobody.png", "/partage/entreprise/nothing.png", "/partage/membre/%00.png"]
)
def test_nobody_has_no_picture(club: str, address: str) -> None:
    assert client.get(address).status_code == 404


def test_who_left_has_no_picture(club: str) -> None:
    with transaction() as session:
        parted = add_member(session, is_active=False).id
    assert client.get(routes.shared_member(parted)).status_code == 404


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "Zoé Lefèbvre",
        "X" * 200,
        "Marie-Antoinette Vandenbroucke-Delattre de la Haye " * 10,
        "مريم العلي",
        "Léa 👩‍👩‍👧 😀",
        "Łukasz Šťastný",
        "</script>\x00\u202e\n",
    ],
)
def test_every_text_is_drawn_or_left_out(environment: pytest.MonkeyPatch, text: str) -> None:
    letters = initials.person_initials(text)
    card = ShareCard(text, text, (text, text), text, letters, initials.GROUNDS[0], is_person=True)
    _opened(share_card_drawing.draw_card(card))
    _opened(share_card_drawing.draw_card(ShareCard(text, club=text)))


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("Zoé  d’Œuvre", "Zoé d’Œuvre"),
        ("Łukasz Šťastný", "Łukasz Šťastný"),
        ("Ioana Ţăran, Zoe\u0301, Nguyễn", "Ioana Țăran, Zoé, Nguyen"),
        ("Léa 😀 Roux", "Léa Roux"),
        ("مريم", ""),
        ("a\x00b\u202ec", "abc"),
    ],
)
def test_a_letter_without_a_drawing_loses_its_accent_or_goes(text: str, drawn: str) -> None:
    assert share_card_drawing.keep_drawable(text) == drawn


def test_a_photograph_stands_in_place_of_the_initials(club: str) -> None:
    photo = io.BytesIO()
    Image.new("RGB", (640, 480), "#00FF00").save(photo, "JPEG")
    with transaction() as session:
        kept = image_store.address(image_store.save("avatars", photo.getvalue()))
        someone = add_member(session, image_url=kept).id
        bare = add_member(session, name="Zoé", email=None, image_url="/media/avatars/1-00000000.jpg").id
    assert client.get(routes.shared_member(bare)).status_code == 200
    drawn = _opened(client.get(routes.shared_member(someone)).content)
    red, green, blue = drawn.crop((200, 255, 201, 256)).tobytes()
    assert green > 200
    assert max(red, blue) < 60
    assert drawn.crop((82, 138, 83, 139)).tobytes().hex() == "fbf8f3"
