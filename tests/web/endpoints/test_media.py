"""Kept pictures are served as they are or in five sizes, each made once, and are gone as soon as they are deleted."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from starlette.routing import Router
from starlette.testclient import TestClient

from clubapp.database import transaction
from clubapp.infra import image_store
from clubapp.services.images import resize_cache
from clubapp.settings import settings
from clubapp.web.endpoints import media as route
from clubapp.web.security.headers import SecurityHeaders
from tests import images
from tests.conftest import on_sqlite
from tests.factories import add_member

pytestmark = on_sqlite

WEBP = {"Accept": "image/avif,image/webp,*/*;q=0.8"}


@pytest.fixture
def client(club: str) -> Iterator[TestClient]:
    with TestClient(SecurityHeaders(Router(route.routes()))) as opened:
        yield opened


@pytest.fixture
def path(client: TestClient) -> str:
    """A member's picture of 800 pixels a side."""
    return shown(images.encoded(images.quarters((800, 800)), "JPEG"))


def shown(content: bytes) -> str:
    """The path of a picture that everybody sees."""
    path = image_store.save("avatars", content)
    with transaction() as session:
        add_member(session, image_url=image_store.address(path))
    return path


def made() -> list[Path]:
    """The sizes kept on this machine."""
    return sorted(file for file in (settings().data_dir / "cache").rglob("*") if file.is_file())


def test_a_picture_is_served_as_it_was_kept(client: TestClient, path: str) -> None:
    answer = client.get(f"/media/{path}")
    assert answer.status_code == 200
    assert answer.content == image_store.read(path)
    assert answer.headers["content-type"] == "image/jpeg"
    assert answer.headers["cache-control"] == "public, max-age=3600"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert client.head(f"/media/{path}").status_code == 200
    again = client.get(f"/media/{path}", headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("width", [64, 128, 192, 384, 768])
@pytest.mark.parametrize(("headers", "kind"), [(WEBP, "webp"), ({"Accept": "image/png,*/*"}, "jpeg")])
def test_each_size_comes_in_what_the_browser_takes(
    client: TestClient, path: str, width: int, headers: dict[str, str], kind: str
) -> None:
    answer = client.get(f"/media/{path}?w={width}", headers=headers)
    assert answer.headers["content-type"] == f"image/{kind}"
    assert answer.headers["cache-control"] == "public, max-age=3600"
    assert answer.headers["vary"] == "Accept"
    assert Image.open(io.BytesIO(answer.content)).size == (width, width)
    tag = {"If-None-Match": answer.headers["etag"]}
    assert client.get(f"/media/{path}?w={width}", headers=headers | tag).status_code == 304
    other = client.get(f"/media/{path}?w={width}", headers={"Accept": "*/*" if kind == "webp" else "image/webp"} | tag)
    assert other.status_code == 200


def test_a_size_is_made_once(client: TestClient, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = client.get(f"/media/{path}?w=64", headers=WEBP)
    monkeypatch.setattr(resize_cache.processing, "resize_image", None)
    assert client.get(f"/media/{path}?w=64", headers=WEBP).content == first.content


@pytest.mark.parametrize("width", ["0", "65", "064", "1600", "64.0", "-64", "", "9" * 400, "w", "٦٤"])
def test_no_other_width_is_made(client: TestClient, path: str, width: str) -> None:
    assert client.get(f"/media/{path}", params={"w": width}).status_code == 404
    assert not made()


@pytest.mark.parametrize(
    "address",
    [
        "/media/avatars/1-0000000000000000.jpg",
        "/media/avatars/1-0000000000000000.jpg?w=64",
        "/media/avatars/..%2f..%2fsecret.key",
        "/media/avatars/%2e%2e%2fsecret.jpg",
        "/media/..%2fclub/1-0000000000000000.jpg",
        "/media/avatars/x%00.jpg",
        "/media/avatars/.jpg",
        "/media/others/1-0000000000000000.jpg",
        "/media/avatars/1-0000000000000000.png",
        "/media/avatars",
        "/media/",
    ],
)
def test_nothing_else_is_there(client: TestClient, path: str, address: str) -> None:
    assert client.get(address).status_code == 404


def test_what_is_deleted_is_gone_in_every_size(client: TestClient, path: str) -> None:
    assert client.get(f"/media/{path}?w=64", headers=WEBP).status_code == 200
    assert len(made()) == 1
    image_store.delete(path)
    answer = client.get(f"/media/{path}?w=64", headers=WEBP)
    assert (answer.status_code, answer.headers["cache-control"]) == (404, "no-store")
    assert not made()


def test_a_file_that_is_no_image_is_not_there(client: TestClient) -> None:
    path = shown(b"not a picture")
    assert client.get(f"/media/{path}?w=64").status_code == 404


def test_the_sizes_stay_within_their_room(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    content = images.encoded(Image.effect_noise((400, 400), 80).convert("RGB"), "JPEG")
    for _ in range(8):
        resize_cache.make_size(image_store.save("avatars", content), 384, "jpeg")
    room = sum(file.stat().st_size for file in made()) * 3 // 4
    monkeypatch.setattr(resize_cache, "MOST_BYTES", room)
    resize_cache.trim_cache()
    assert 0 < sum(file.stat().st_size for file in made()) <= room
