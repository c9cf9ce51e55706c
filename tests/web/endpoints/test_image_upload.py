"""POST /images/…: real files, good and hostile, into both stores (W7, W8)."""

import re
from pathlib import Path

import anyio
import pytest
from httpx import Response
from starlette.requests import Request
from starlette.routing import Router
from starlette.testclient import TestClient

from clubapp.database import transaction
from clubapp.infra import image_store
from clubapp.refusals import TooHeavy
from clubapp.services.access import sessions
from clubapp.services.base import upload_quota
from clubapp.services.images import processing
from clubapp.web.endpoints import media as served
from clubapp.web.endpoints.uploads import file_upload, image_upload
from clubapp.web.security.headers import SecurityHeaders
from tests import images
from tests.conftest import on_sqlite
from tests.factories import add_admin, add_company, add_member
from tests.stores import s3, store

pytestmark = on_sqlite

__all__ = ["s3", "store"]

ORIGIN = "http://localhost:3000"
HELENE, MARIE, LUC = "helene@beffroi.example", "marie@durand.example", "luc@sans.example"
ADDRESS = re.compile(r"/media/(avatars|logos)/[0-9]{13}-[0-9a-f]{32}\.jpg")
JPEG = images.encoded(images.quarters(), "JPEG")
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">%s</svg>'


class Browser(TestClient):
    """Someone's browser on one of our pages."""

    def __init__(self, email: str = "") -> None:
        super().__init__(SecurityHeaders(Router([*image_upload.routes(), *served.routes()])), base_url=ORIGIN)
        self.headers["Origin"] = ORIGIN
        if email:
            with transaction() as session:
                self.cookies.set("session", sessions.open_session(session, email)[0])

    def upload(self, content: bytes, bucket: str = "avatars", **headers: str) -> Response:
        return self.post(f"/images/{bucket}", content=content, headers=headers)


@pytest.fixture
def people(club: str) -> None:
    with transaction() as session:
        add_admin(session, HELENE)
        add_member(session, email=MARIE, company_id=add_company(session).id)
        add_member(session, "Luc", LUC)


def stored() -> list[str]:
    return [one.path for bucket in image_store.BUCKETS for one in image_store.list_images(bucket)]


def written(store: str, tmp_path: Path) -> list[str]:
    """Every file of the folder, whatever its name."""
    folder = tmp_path / "dossier d'images"
    return [path.name for path in folder.rglob("*") if path.is_file()] if store == "folder" else stored()


@pytest.mark.parametrize("who", [HELENE, MARIE])
@pytest.mark.parametrize("bucket", image_store.BUCKETS)
def test_an_image_is_kept_and_served(people: None, store: str, who: str, bucket: str) -> None:
    browser = Browser(who)
    answer = browser.upload(JPEG, bucket)
    assert (answer.status_code, answer.headers["cache-control"]) == (201, "no-store")
    address = answer.json()["url"]
    assert ADDRESS.fullmatch(address)
    assert f"/{bucket}/" in address
    shown = browser.get(address)
    assert (shown.headers["content-type"], shown.headers["cache-control"]) == ("image/jpeg", "private, no-store")
    assert images.corners(images.decoded(shown.content)) == ["red", "green", "blue", "black"]
    assert browser.upload(JPEG, bucket).json()["url"] != address


def test_what_a_telephone_adds_is_gone_and_the_image_upright(people: None, store: str) -> None:
    answer = Browser(MARIE).upload(images.from_a_phone(images.quarters((400, 300)), orientation=6))
    content = image_store.read(image_store.path_in(answer.json()["url"]))
    kept = images.decoded(content)
    assert not kept.getexif()
    assert not [secret for secret in (b"Telephone", b"chez moi", b"xmpmeta", b"Exif") if secret in content]
    assert kept.size == (300, 400)
    assert images.corners(kept) == ["blue", "red", "black", "green"]


@pytest.mark.parametrize(
    "content",
    [
        images.encoded(images.quarters(mode="CMYK"), "JPEG"),
        images.png_of_16_bits(),
        images.animated("PNG"),
        images.animated("WEBP"),
    ],
    ids=["cmyk", "16-bit", "animated png", "animated webp"],
)
def test_unusual_images_become_one_plain_jpeg(people: None, store: str, content: bytes) -> None:
    kept = images.decoded(image_store.read(image_store.path_in(Browser(MARIE).upload(content).json()["url"])))
    assert (kept.format, kept.mode, getattr(kept, "n_frames", 1)) == ("JPEG", "RGB", 1)


REFUSED = {
    "5 MB and a byte": (JPEG + b"\0" * (processing.MOST_BYTES + 1 - len(JPEG)), 413, processing.TOO_HEAVY),
    "bomb": (images.png_that_announces(20_000, 20_000), 422, processing.TOO_LARGE),
    "polyglot": (b"GIF89a/*<html><script>alert(1)</script>*/=1;", 422, processing.WRONG_FORMAT),
    "truncated": (JPEG[: len(JPEG) // 2], 422, processing.UNREADABLE),
    "svg with a script": (SVG % b"<script>alert(1)</script>", 422, processing.WRONG_FORMAT),
    "svg to a local file": (SVG % b'<image href="file:///etc/passwd"/>', 422, processing.WRONG_FORMAT),
    "page": (b"<!DOCTYPE html><script>alert(1)</script>", 422, processing.WRONG_FORMAT),
    "nothing": (b"", 422, processing.WRONG_FORMAT),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused_leaves_a_french_sentence_and_nothing_else(
    people: None, store: str, tmp_path: Path, case: str
) -> None:
    content, status, text = REFUSED[case]
    answer = Browser(MARIE).upload(content, "logos", **{"Content-Type": "image/png"})
    assert (answer.status_code, answer.json()["text"]) == (status, text)
    assert not written(store, tmp_path)


def test_five_megabytes_exactly_are_taken(people: None, store: str) -> None:
    """A JPEG may have anything after its end; what is kept of it is the image alone."""
    answer = Browser(MARIE).upload(JPEG + b"\0" * (processing.MOST_BYTES - len(JPEG)))
    assert answer.status_code == 201
    assert len(image_store.read(image_store.path_in(answer.json()["url"]))) < 100_000


def test_a_page_hidden_behind_an_image_is_not_kept(people: None, store: str) -> None:
    hidden = b"<script>alert(1)</script>"
    path = image_store.path_in(Browser(MARIE).upload(JPEG + hidden).json()["url"])
    assert hidden not in image_store.read(path)


def test_a_name_of_the_senders_counts_for_nothing(people: None, store: str, tmp_path: Path) -> None:
    browser = Browser(MARIE)
    named = {"Content-Disposition": 'attachment; filename="../../x.jpg"', "X-File-Name": "../../x.jpg"}
    assert ADDRESS.fullmatch(browser.upload(JPEG, **named).json()["url"])
    form = browser.post("/images/avatars", files={"file": ("../../x.jpg", JPEG, "image/jpeg")})
    assert (form.status_code, form.json()["text"]) == (422, processing.WRONG_FORMAT)
    for bucket in ("..", "%2e%2e", "..%2f..", "avatars%2f..%2f..", "other", "avatars.jpg"):
        assert browser.upload(JPEG, bucket).status_code == 404
    assert len(written(store, tmp_path)) == 1
    assert not list(tmp_path.rglob("x.jpg"))


def test_who_may_not_send(people: None, store: str, tmp_path: Path) -> None:
    visitor = Browser().upload(JPEG)
    assert (visitor.status_code, visitor.json()["text"]) == (401, file_upload.SESSION_ENDED)
    alone = Browser(LUC).upload(JPEG, "logos")
    assert (alone.status_code, alone.json()["text"]) == (403, "Aucune entreprise n’est associée à votre fiche.")
    for headers in ({"Origin": "https://evil.example"}, {"Origin": "null"}):
        assert Browser(MARIE).upload(JPEG, **headers).status_code == 403
    with transaction() as session:
        sessions.end_all_sessions(session, HELENE)
    ended = Browser(HELENE)
    with transaction() as session:
        sessions.end_all_sessions(session, HELENE)
    assert ended.upload(JPEG).status_code == 401
    assert not written(store, tmp_path)


def test_one_person_cannot_fill_the_disk(people: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload_quota, "MOST", 3)
    browser = Browser(MARIE)
    assert [browser.upload(b"x").status_code for _ in range(3)] == [422] * 3
    refused = browser.upload(JPEG)
    assert (refused.status_code, refused.json()["text"]) == (429, upload_quota.TOO_MANY)
    assert Browser(HELENE).upload(JPEG).status_code == 201


def test_the_rest_of_a_heavy_file_is_dropped_as_it_comes_and_not_for_ever() -> None:
    asked = 0

    async def receive() -> dict[str, object]:
        nonlocal asked
        asked += 1
        return {"type": "http.request", "body": b"\0" * 1_000_000, "more_body": True}

    with pytest.raises(TooHeavy, match="5MB"):
        anyio.run(
            file_upload.read_file,
            Request({"type": "http"}, receive),
            processing.MOST_BYTES,
            TooHeavy(processing.TOO_HEAVY),
        )
    assert 6 < asked < 25
