"""The file format of a backup: a ZIP archive of plain files, each listed with its SHA-256.

backup.json          what is in it, and of when
tables/members.jsonl a table: one row a line, as JSON
media/avatars/….jpg  a picture
secret.key           the signing keys, only when asked for
SHA256SUMS           what `sha256sum --check` reads
"""

import hashlib
import json
import os
import re
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from clubapp.infra import image_store
from clubapp.refusals import Invalid

FORMAT = 1
ABOUT, KEY, SUMS = "backup.json", "secret.key", "SHA256SUMS"
NO_ARCHIVE = "{file} n’est pas une sauvegarde de ce programme, ou elle est incomplète."
NO_PLACE = "{file} n’est pas un fichier ordinaire\u00a0: la sauvegarde ne peut pas en prendre la place."
DAMAGED = "{file} est endommagée ({part})\u00a0: elle ne peut pas servir."
NEWER_FORMAT = "{file} vient d’un programme plus récent\u00a0: mettez celui-ci à jour."

_PART = re.compile(rf"{ABOUT}|{KEY}|tables/[a-z_]+\.jsonl|media/(?P<picture>.+)")
_BROKEN = (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, KeyError, ValueError, TypeError)
_CHUNK = 1 << 20


@dataclass(frozen=True)
class ArchiveContents:
    """The summary of an archive: schema revision, time in UTC, rows by table, number of pictures, size.

    `key` is a fingerprint of the signing key.
    """

    schema: str
    made_at: datetime
    key: str
    rows: dict[str, int] = field(default_factory=dict)
    pictures: int = 0
    bytes: int = 0


class ArchiveWriter:
    """Writes an archive, part by part."""

    def __init__(self, opened: ZipFile, made_at: datetime) -> None:
        self._opened, self._made_at = opened, made_at
        self._sums: list[str] = []

    def add(self, name: str, pieces: Iterable[bytes], *, packed: bool = True) -> None:
        """Write one part, compressed if `packed`."""
        part, digest = ZipInfo(name, self._made_at.timetuple()[:6]), hashlib.sha256()
        part.compress_type = ZIP_DEFLATED if packed else ZIP_STORED
        part.external_attr = 0o600 << 16
        with self._opened.open(part, "w", force_zip64=True) as stream:
            for piece in pieces:
                stream.write(piece)
                digest.update(piece)
        self._sums.append(f"{digest.hexdigest()}  {name}\n")

    def seal(self, contents: ArchiveContents) -> None:
        """Write the summary and the list of checksums."""
        about = {"format": FORMAT, **asdict(contents), "made_at": contents.made_at.isoformat()}
        del about["bytes"]  # not known yet
        self.add(ABOUT, [json.dumps(about, indent=2).encode()])
        self._opened.writestr(ZipInfo(SUMS, self._made_at.timetuple()[:6]), "".join(self._sums))


class ArchiveReader:
    """Reads an archive whose checksums were verified."""

    def __init__(self, opened: ZipFile, contents: ArchiveContents) -> None:
        self._opened, self.contents = opened, contents

    def rows(self, table: str) -> Iterator[dict[str, object]]:
        """The rows of a table, in the order they were written."""
        with self._opened.open(f"tables/{table}.jsonl") as lines:
            yield from map(json.loads, lines)

    def pictures(self) -> Iterator[tuple[str, bytes]]:
        """The path and the content of every picture."""
        for name in self._opened.namelist():
            if name.startswith("media/"):
                yield name.removeprefix("media/"), self._opened.read(name)

    def keys(self) -> str:
        """The signing keys as configured, or an empty text."""
        return self._opened.read(KEY).decode() if KEY in self._opened.namelist() else ""


@contextmanager
def write_archive(file: Path, made_at: datetime) -> Iterator[ArchiveWriter]:
    """Open an archive for writing. `file` exists, readable by its owner only, once the block ends without an error.

    Raises:
        Invalid: when a device or a pipe stands there, which replacing would take away from the machine.
        OSError: when it cannot be written.
    """
    if file.exists() and not (file.is_file() or file.is_dir()):
        raise Invalid(NO_PLACE.format(file=file))
    unfinished = None
    try:
        handle, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
        unfinished = Path(name)
        with os.fdopen(handle, "wb") as stream:
            with ZipFile(stream, "w") as opened:
                yield ArchiveWriter(opened, made_at)
            stream.flush()
            os.fsync(stream.fileno())
        with read_archive(unfinished):  # verified before it replaces a former one
            os.replace(unfinished, file)
    except OSError as error:  # raised with the name of the requested file
        raise OSError(error.errno, error.strerror, str(file)) from error
    finally:
        if unfinished:
            unfinished.unlink(missing_ok=True)


@contextmanager
def read_archive(file: Path) -> Iterator[ArchiveReader]:
    """Open an archive for reading, after verifying all of it.

    Raises:
        Invalid: when it is not an archive, has a later format, or is damaged.
        OSError: when the file cannot be read.
    """
    try:
        opened = ZipFile(file)
    except _BROKEN:
        raise Invalid(NO_ARCHIVE.format(file=file)) from None
    with opened:
        if SUMS not in opened.namelist():
            raise Invalid(NO_ARCHIVE.format(file=file))
        part = SUMS
        try:
            for part, told in _listed(opened):
                if _sum(opened, part) != told:
                    raise BadZipFile(part)
            part = ABOUT
            contents = _contents(opened, file)
        except _BROKEN:
            raise Invalid(DAMAGED.format(file=file, part=part)) from None
        yield ArchiveReader(opened, contents)


def _listed(opened: ZipFile) -> list[tuple[str, str]]:
    """Every part with its checksum. The list and the archive must name the same parts, each once, with known names."""
    lines = [line.partition("  ") for line in opened.read(SUMS).decode().splitlines()]
    listed = [(name, told) for told, _, name in lines]
    if sorted(name for name, _ in listed) != sorted(set(opened.namelist()) - {SUMS}):
        raise BadZipFile(SUMS)
    if len(opened.namelist()) != len(listed) + 1 or not all(_is_ours(name) for name, _ in listed):
        raise BadZipFile(SUMS)
    return listed


def _is_ours(name: str) -> bool:
    found = _PART.fullmatch(name)
    return found is not None and (found["picture"] is None or image_store.is_path(found["picture"]))


def _sum(opened: ZipFile, part: str) -> str:
    digest = hashlib.sha256()
    with opened.open(part) as stream:
        while piece := stream.read(_CHUNK):
            digest.update(piece)
    return digest.hexdigest()


def _contents(opened: ZipFile, file: Path) -> ArchiveContents:
    told = json.loads(opened.read(ABOUT))
    if told.pop("format") > FORMAT:
        raise Invalid(NEWER_FORMAT.format(file=file))
    made_at = datetime.fromisoformat(told["made_at"])
    contents = ArchiveContents(**told | {"made_at": made_at, "bytes": file.stat().st_size})
    tables = sorted(f"tables/{name}.jsonl" for name in contents.rows)
    held = sorted(name for name in opened.namelist() if name.startswith("tables/"))
    pictures = sum(name.startswith("media/") for name in opened.namelist())
    is_whole = tables == held and pictures == contents.pictures and made_at.tzinfo
    if not (is_whole and isinstance(contents.schema, str) and isinstance(contents.key, str)):
        raise BadZipFile(ABOUT)
    return contents
