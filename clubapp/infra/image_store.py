"""Where uploaded pictures are kept: a local folder, or any S3-compatible service.

A picture is a JPEG below one of two buckets, under a name made here; it is never overwritten. Its path,
'avatars/1795212000000-9f2c….jpg', is what the functions take; its address is that path below /media.
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

from clubapp import clock, routes
from clubapp.refusals import NotFound
from clubapp.settings import settings

Bucket = Literal["avatars", "logos"]
BUCKETS: tuple[Bucket, ...] = ("avatars", "logos")
CACHE_CONTROL = "public, max-age=3600"
PATIENCE = timedelta(seconds=10)

_PATH = re.compile(r"(avatars|logos)/[0-9]{1,20}-[0-9a-z]{8,40}\.jpg")
_ATTRIBUTES: Any = {"Content-Type": "image/jpeg", "Cache-Control": CACHE_CONTROL}


@dataclass(frozen=True)
class StoredImage:
    """A picture that is there: its path, when it came, its weight in bytes."""

    path: str
    saved_at: datetime
    size: int


def save(bucket: Bucket, content: bytes) -> str:
    """Keep a JPEG under a name of its own; the path it has from now on."""
    path = f"{bucket}/{int(clock.now().timestamp() * 1000)}-{secrets.token_hex(8)}.jpg"
    _create(path, content)
    return path


def restore_image(path: str, content: bytes) -> None:
    """Keep a picture under a path it had before; what is there already stays."""
    try:
        _create(_checked(path), content)
    except AlreadyExistsError:
        return


def read(path: str) -> bytes:
    """The content of a picture.

    Raises:
        NotFound: when there is none of that path.
    """
    try:
        return bytes(obstore.get(_store(), _checked(path)).bytes())
    except FileNotFoundError:
        raise NotFound from None


def exists(path: str) -> bool:
    """Whether a picture is there. Asks the store, never a memory: what is deleted is gone at once."""
    try:
        obstore.head(_store(), _checked(path))
    except (FileNotFoundError, NotFound):
        return False
    return True


def delete(path: str) -> None:
    """Remove a picture; one that is gone already is no error."""
    try:
        obstore.delete(_store(), _checked(path))
    except FileNotFoundError:
        return


def list_images(bucket: Bucket) -> list[StoredImage]:
    """Every picture of a bucket, oldest name first."""
    found = obstore.list(_store(), prefix=bucket).collect()
    stored = [
        StoredImage(one["path"], one["last_modified"], one["size"]) for one in found if _PATH.fullmatch(one["path"])
    ]
    return sorted(stored, key=lambda one: one.path)


def check_store() -> None:
    """Ask the store something; whatever it has to complain about is raised."""
    next(iter(obstore.list(_store(), prefix=BUCKETS[0], chunk_size=1)), None)


def address(path: str) -> str:
    """Where visitors find a picture: what `image_url` and `logo_url` hold."""
    return f"{routes.MEDIA}/{path}"


def path_in(address: str) -> str:
    """The path of a picture of ours, or an empty text for any other address."""
    path = address.removeprefix(f"{routes.MEDIA}/")
    return path if path != address and _PATH.fullmatch(path) else ""


def is_path(text: str) -> bool:
    """Whether a text has the form of a path: nothing else reaches the store (W8)."""
    return _PATH.fullmatch(text) is not None


def _checked(path: str) -> str:
    if not is_path(path):
        raise NotFound
    return path


def _create(path: str, content: bytes) -> None:
    store = _store()
    # A folder keeps no attributes: our own route says the same when it serves the file.
    attributes = None if isinstance(store, LocalStore) else _ATTRIBUTES
    obstore.put(store, path, content, mode="create", attributes=attributes)


def _store() -> ObjectStore:
    chosen = settings()
    return _opened(chosen.media_url, tuple(chosen.storage_options.items()))


@lru_cache(maxsize=4)
def _opened(url: str, options: tuple[tuple[str, str], ...]) -> ObjectStore:
    if url.startswith("file://"):
        return LocalStore.from_url(url, mkdir=True)
    given: Any = dict(options)
    return S3Store.from_url(
        url,
        config=given,
        client_options={"allow_http": given.get("endpoint", "").startswith("http://"), "timeout": PATIENCE},
        retry_config={"max_retries": 2, "retry_timeout": PATIENCE},
    )
