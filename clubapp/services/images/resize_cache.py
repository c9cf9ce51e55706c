"""The sizes in which kept pictures are shown: each made once, then read from a bounded folder of this machine.

The folder is a cache and nothing more: deleting it loses no picture. Whether the picture itself still exists is asked
of the store each time, so that what someone removes is gone at once (P2).
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
    """A size made before, or nothing."""
    try:
        return _file(path, width, kind).read_bytes()
    except FileNotFoundError:
        return None


def make_size(path: str, width: int, kind: Kind) -> bytes:
    """Make a size of a picture and keep it.

    Raises:
        NotFound: when there is no such picture.
        Invalid: when what is there is no image.
    """
    made, _ = processing.variant(image_store.read(path), width, kind)
    file = _file(path, width, kind)
    file.parent.mkdir(parents=True, exist_ok=True)
    unfinished = file.with_suffix(f".{uuid4().hex}")
    unfinished.write_bytes(made)
    unfinished.replace(file)
    if next(_made) % _LOOKS_EVERY == 1:
        trim()
    return made


def delete_sizes(path: str) -> None:
    """Remove every size of a picture."""
    if image_store.is_path(path):
        shutil.rmtree(_folder() / path.removesuffix(".jpg"), ignore_errors=True)


def trim() -> None:
    """Remove the oldest sizes, until three quarters of the room are left to the others."""
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
