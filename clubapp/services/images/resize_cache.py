"""The cache of resized pictures: each size is made once, then read from a local folder of limited size.

The folder can be deleted without losing a picture. Callers check each time that the picture still exists in the store,
so that a removed one is gone at once (P2).
"""

import itertools
import shutil
from pathlib import Path
from uuid import uuid4

from clubapp.infra import image_store
from clubapp.services.images import processing
from clubapp.services.images.processing import Kind
from clubapp.settings import settings

MOST_BYTES = 200 * 1024 * 1024
_LOOKS_EVERY = 200
_made = itertools.count(1)


def read_size(path: str, width: int, kind: Kind) -> bytes | None:
    """A cached size, or None."""
    try:
        return _file(path, width, kind).read_bytes()
    except FileNotFoundError:
        return None


def make_size(path: str, width: int, kind: Kind) -> bytes:
    """Resize a picture and cache the result.

    Raises:
        NotFound: when there is no such picture.
        Invalid: when the stored file is not an image.
    """
    made, _ = processing.resize_image(image_store.read(path), width, kind)
    file = _file(path, width, kind)
    file.parent.mkdir(parents=True, exist_ok=True)
    unfinished = file.with_suffix(f".{uuid4().hex}")
    unfinished.write_bytes(made)
    unfinished.replace(file)
    if next(_made) % _LOOKS_EVERY == 1:
        trim_cache()
    return made


def delete_sizes(path: str) -> None:
    """Remove the cached sizes of a picture."""
    if image_store.is_path(path):
        shutil.rmtree(_folder() / path.removesuffix(".jpg"), ignore_errors=True)


def trim_cache() -> None:
    """Remove the oldest sizes until the cache fills at most three quarters of its limit."""
    files = [(found.stat(follow_symlinks=False), found) for found in _folder().rglob("*") if found.is_file()]
    weight = sum(seen.st_size for seen, _ in files)
    if weight <= MOST_BYTES:
        return
    for seen, file in sorted(files, key=lambda one: one[0].st_mtime):
        if weight <= MOST_BYTES * 3 // 4:
            return
        file.unlink(missing_ok=True)
        weight -= seen.st_size


def _folder() -> Path:
    return settings().data_dir / "cache" / "pictures"


def _file(path: str, width: int, kind: Kind) -> Path:
    return _folder() / path.removesuffix(".jpg") / f"{width}.{kind}"
