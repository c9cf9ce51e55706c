"""The store of uploaded pictures: a local folder, or any S3-compatible service.

A picture is a JPEG in one of two buckets, under a name made here; it is never overwritten. The functions take its path,
'avatars/1795212000000-9f2c….jpg'; its address is that path below /media. Errors of the service are raised as they are.
"""

import re
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, Literal

import obstore
from obstore.exceptions import AlreadyExistsError
from obstore.store import LocalStore, ObjectStore, S3Store

from clubapp import clock, routes, tokens
from clubapp.refusals import NotFound
from clubapp.settings import settings

Bucket = Literal["avatars", "logos"]
BUCKETS: tuple[Bucket, ...] = ("avatars", "logos")
CACHE_CONTROL = "public, max-age=3600"
TIMEOUT = timedelta(seconds=10)

_PATH = re.compile(r"(avatars|logos)/[0-9]{1,20}-[0-9a-z]{8,40}\.jpg")
_SENT = re.compile(r"(?P<name>[a-z]+/[0-9]+-[0-9a-f]{16})(?P<mark>[0-9a-f]{16})\.jpg")
_ATTRIBUTES: Any = {"Content-Type": "image/jpeg", "Cache-Control": CACHE_CONTROL}


@dataclass(frozen=True)
class StoredImage:
    """A stored picture: its path, when it was saved, its size in bytes."""

    path: str
    saved_at: datetime
    size: int


def save(bucket: Bucket, content: bytes, sender: str = "") -> str:
    """Store a JPEG under a new name, which says to the signing key who sent it, and return its path."""
    name = f"{bucket}/{int(clock.now().timestamp() * 1000)}-{secrets.token_hex(8)}"
    path = f"{name}{_mark(name, sender)}.jpg"
    _create(path, content)
    return path


def is_sent_by(path: str, sender: str) -> bool:
    """Whether somebody sent the picture of a path."""
    found = _SENT.fullmatch(path)
    return found is not None and tokens.is_same_token(found["mark"], _mark(found["name"], sender))


def restore_image(path: str, content: bytes) -> None:
    """Store a picture under the path it had before; one that is there already is not changed.

    Raises:
        NotFound: when the path is not one of a picture.
    """
    try:
        _create(_require_path(path), content)
    except AlreadyExistsError:
        return


def read(path: str) -> bytes:
    """The content of a picture.

    Raises:
        NotFound: when there is none at that path.
    """
    try:
        return bytes(obstore.get(_store(), _require_path(path)).bytes())
    except FileNotFoundError:
        raise NotFound from None


def exists(path: str) -> bool:
    """Whether there is a picture at that path. Not cached, so that a deleted picture is not served any more."""
    try:
        obstore.head(_store(), _require_path(path))
    except (FileNotFoundError, NotFound):
        return False
    return True


def delete(path: str) -> None:
    """Delete a picture; one that does not exist is no error.

    Raises:
        NotFound: when the path is not one of a picture.
    """
    try:
        obstore.delete(_store(), _require_path(path))
    except FileNotFoundError:
        return


def list_images(bucket: Bucket) -> list[StoredImage]:
    """Every picture of a bucket, in the order of the paths: the oldest first."""
    stored = [
        StoredImage(item["path"], item["last_modified"], item["size"])
        for item in obstore.list(_store(), prefix=bucket).collect()
        if is_path(item["path"])
    ]
    return sorted(stored, key=lambda image: image.path)


def check_store() -> None:
    """Read from the store, so that its error is raised when it cannot be used."""
    next(iter(obstore.list(_store(), prefix=BUCKETS[0], chunk_size=1)), None)


def address(path: str) -> str:
    """The address of a picture on the site, as `image_url` and `logo_url` hold it."""
    return f"{routes.MEDIA}/{path}"


def path_in(address: str) -> str:
    """The path of a picture from its address, or an empty text for any other address."""
    path = address.removeprefix(f"{routes.MEDIA}/")
    return path if path != address and is_path(path) else ""


def is_path(text: str) -> bool:
    """Whether a text has the form of a picture's path; only such texts reach the store (W8)."""
    return _PATH.fullmatch(text) is not None


def _mark(name: str, sender: str) -> str:
    return tokens.keyed_fingerprint("image-sender", f"{name} {sender}")[:16] if sender else ""


def _require_path(path: str) -> str:
    if not is_path(path):
        raise NotFound
    return path


def _create(path: str, content: bytes) -> None:
    store = _store()
    # A folder stores no attributes: our route sets the same headers when it serves the file.
    attributes = None if isinstance(store, LocalStore) else _ATTRIBUTES
    obstore.put(store, path, content, mode="create", attributes=attributes)


def _store() -> ObjectStore:
    return _open_store(settings().media_url, tuple(settings().storage_options.items()))


@lru_cache(maxsize=4)
def _open_store(url: str, options: tuple[tuple[str, str], ...]) -> ObjectStore:
    if url.startswith("file://"):
        return LocalStore.from_url(url, mkdir=True)
    config: Any = dict(options)
    return S3Store.from_url(
        url,
        config=config,
        client_options={"allow_http": config.get("endpoint", "").startswith("http://"), "timeout": TIMEOUT},
        retry_config={"max_retries": 2, "retry_timeout": TIMEOUT},
    )
