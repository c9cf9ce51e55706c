"""Pictures are kept the same way in a folder and in an S3-compatible service; nothing is ever overwritten."""

import re
from collections.abc import Callable
from datetime import datetime

import boto3
import pytest

from clubapp.infra import image_store
from clubapp.refusals import NotFound
from clubapp.settings import settings
from tests.conftest import forget_settings
from tests.stores import SECRETS, s3, store

__all__ = ["s3", "store"]

NAME = r"avatars/1795212000000-[0-9a-f]{16}\.jpg"
STRANGE = ("../secret.key", "avatars/../../x.jpg", "avatars/1-../../../x.jpg", "", "avatars/", "others/1-abcdefgh.jpg")


def test_what_is_saved_can_be_read_until_it_is_deleted(store: str) -> None:
    path = image_store.save("avatars", b"a picture")
    assert image_store.read(path) == b"a picture"
    assert image_store.exists(path)
    image_store.delete(path)
    assert not image_store.exists(path)
    with pytest.raises(NotFound):
        image_store.read(path)
    image_store.delete(path)


def test_the_name_is_the_moment_and_chance(store: str, at: Callable[[str], datetime]) -> None:
    at("2026-11-20T22:00")
    first, second = image_store.save("avatars", b"1"), image_store.save("avatars", b"2")
    assert re.fullmatch(NAME, first)
    assert re.fullmatch(NAME, second)
    assert (image_store.read(first), image_store.read(second)) == (b"1", b"2")


def test_nothing_is_overwritten(store: str) -> None:
    path = image_store.save("logos", b"first")
    image_store.restore_image(path, b"second")
    assert image_store.read(path) == b"first"
    image_store.delete(path)
    image_store.restore_image(path, b"second")
    assert image_store.read(path) == b"second"


def test_the_two_buckets_are_apart(store: str) -> None:
    face, logo = image_store.save("avatars", b"face"), image_store.save("logos", b"the logo")
    assert [one.path for one in image_store.list_images("avatars")] == [face]
    (found,) = image_store.list_images("logos")
    assert (found.path, found.size) == (logo, 8)
    assert found.saved_at.tzinfo is not None
    image_store.delete(face)
    assert image_store.list_images("avatars") == []


@pytest.mark.parametrize("path", STRANGE)
def test_no_other_path_reaches_the_store(store: str, path: str) -> None:
    with pytest.raises(NotFound):
        image_store.read(path)
    with pytest.raises(NotFound):
        image_store.restore_image(path, b"x")
    with pytest.raises(NotFound):
        image_store.delete(path)
    assert not image_store.exists(path)


def test_a_picture_in_a_service_says_what_it_is(store: str) -> None:
    if store != "s3":
        return
    path = image_store.save("avatars", b"a picture")
    chosen = settings()
    bucket = chosen.media_url.removeprefix("s3://").partition("/")[0]
    found = boto3.client("s3", endpoint_url=chosen.aws_endpoint_url, **SECRETS).head_object(
        Bucket=bucket, Key=f"le/club/{path}"
    )
    assert (found["ContentType"], found["CacheControl"]) == ("image/jpeg", "public, max-age=3600")


def test_an_address_leads_to_its_path_and_back() -> None:
    path = "avatars/1795212000000-0123456789abcdef.jpg"
    assert image_store.address(path) == f"/media/{path}"
    assert image_store.path_in(f"/media/{path}") == path
    for other in ("", path, "/avatars/ZL-3.png", "https://elsewhere.example/media/" + path, "/media/../" + path):
        assert image_store.path_in(other) == ""


def test_a_store_that_does_not_answer_says_so(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("CLUB_MEDIA_URL", "s3://club")
    environment.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        environment.setenv(name, "someone")
    forget_settings()
    with pytest.raises(Exception, match="Generic S3 error"):
        image_store.check_store()
