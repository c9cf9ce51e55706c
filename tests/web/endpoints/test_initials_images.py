"""The initials image: 400 pixels, white on a ground, and nothing else can be asked for."""

import io

import pytest
from PIL import Image
from starlette.routing import Router
from starlette.testclient import TestClient

from clubapp.services.images.initials import COMPANY_GROUND, DRAWN, GROUNDS, company_image_url, person_image_url
from clubapp.web.endpoints import initials_images

client = TestClient(Router(initials_images.routes()))


def _image(address: str) -> Image.Image:
    answer = client.get(address)
    assert answer.headers["content-type"] == "image/png"
    assert "max-age=2592000" in answer.headers["cache-control"]
    return Image.open(io.BytesIO(answer.content)).convert("RGB")


def _hex(image: Image.Image, place: tuple[int, int]) -> str:
    left, top = place
    return "#" + image.crop((left, top, left + 1, top + 1)).tobytes().hex().upper()


@pytest.mark.parametrize("name", ["Zoé Lefèbvre", "Élodie Vandamme", "Łukasz Œuvrard", "日本 太郎", "?", "   "])
def test_a_person_has_white_letters_on_one_of_eight_grounds(environment: pytest.MonkeyPatch, name: str) -> None:
    image = _image(person_image_url(name))
    assert image.size == (400, 400)
    assert _hex(image, (2, 2)) in GROUNDS
    assert "#FFFFFF" in {_hex(image, (x, y)) for x in range(80, 320, 4) for y in range(120, 280, 4)}


@pytest.mark.parametrize("name", ["日本 太郎", "محمد علي", "Иван Петров", "🎉🎉", "   "])
def test_a_name_without_latin_letters_has_the_shape_of_a_person_or_a_house(
    environment: pytest.MonkeyPatch, name: str
) -> None:
    person, company = _image(person_image_url(name)), _image(company_image_url(name))
    assert "/personne-" in person_image_url(name)
    # A head and shoulders; a front with its windows.
    assert [_hex(person, place) for place in ((200, 146), (200, 330))] == ["#FFFFFF"] * 2
    assert _hex(person, (200, 215)) in GROUNDS
    assert [_hex(company, place) for place in ((200, 110), (166, 140))] == ["#FFFFFF", COMPANY_GROUND]


def test_a_company_has_three_letters_on_the_dark_ground() -> None:
    assert company_image_url("Nord Logis Transport") == "/avatars/NLT.png"
    assert _hex(_image("/avatars/NLT.png"), (2, 2)) == COMPANY_GROUND


@pytest.mark.parametrize(
    "file",
    ["ZL-8.png", "ABCD.png", "ZL-1.svg", "<b>-1.png", ".png", "ZL-1.png.png", "..%2Fx.png", "?-1.png", "personne.png"],
)
def test_nothing_else_is_drawn(file: str) -> None:
    assert client.get(f"/avatars/{file}").status_code == 404


def test_every_letter_said_to_be_drawn_is_in_the_font() -> None:
    drawn = {letter: initials_images.draw_initials(letter, "#000000") for letter in DRAWN}
    assert len(set(drawn.values())) >= len(drawn) - 3  # a few look alike, such as Đ and Ð
