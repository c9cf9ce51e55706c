"""Automatic backups: one a day into a folder, of which the last ones are kept. Off until a folder is configured."""

import fcntl
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path

from clubapp import clock
from clubapp.refusals import Refusal
from clubapp.services.backups import archive
from clubapp.services.backups.archive import ArchiveContents
from clubapp.services.backups.create import make_backup
from clubapp.settings import Settings, settings

COPIED = ".copied"
OVERDUE = timedelta(hours=26)  # a day, the change of hour, and the interval of the job
AHEAD = timedelta(hours=1)

OFF = "non programmées (CLUB_BACKUP_DIR)"
NONE_YET = (
    "aucune dans {folder}\u00a0: vérifiez que le site tourne et peut y écrire, puis lancez "
    "«\u00a0backup\u00a0» une fois"
)
BROKEN = "{file} est endommagée\u00a0: supprimez-la, la suivante se fera dans le quart d’heure"
LATE = "la dernière date du {at}\u00a0: vérifiez que le site tourne et que le disque de {folder} n’est pas plein"
TO_COME = "la dernière date du {at}, qui est à venir\u00a0: réglez l’horloge si elle est fausse, puis supprimez {file}"
WELL = "la dernière du {at}, {megabytes} Mo"

_NAME = re.compile(r"club-\d{4}-\d{2}-\d{2}\.zip")


class BackupProblem(Exception):
    """Backups are configured but missing, late or damaged; the message is French and gives the remedy."""


@dataclass(frozen=True)
class LatestBackup:
    """The newest automatic backup."""

    at: datetime
    file: Path
    bytes: int
    is_whole: bool


def back_up_daily(from_hour: int) -> Path | None:
    """Make the backup of the day from that hour of the club on, unless it exists, and remove the oldest ones.

    Of several processes that share the folder, only one makes it.

    Returns:
        The new archive, or None when there was nothing to do.
    """
    folder = settings().backup_dir
    if folder is None:
        return None
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _folder_lock(folder) as is_mine:
        file = folder / f"club-{_day(from_hour):%Y-%m-%d}.zip"
        if not is_mine or file.exists():
            return None
        for unfinished in folder.glob(".club-*.zip.*"):  # left by a process that was killed
            unfinished.unlink()
        make_backup(file)
        for old in _files(folder)[: -settings().backup_keep]:
            old.unlink()
        return file


def find_latest(chosen: Settings) -> LatestBackup | None:
    """The newest backup, verified once; None when there is none."""
    files = _files(chosen.backup_dir) if chosen.backup_dir else []
    if not files:
        return None
    found = files[-1].stat()
    contents = _read_through(files[-1], found.st_mtime_ns, found.st_size)
    at = contents.made_at if contents else datetime.fromtimestamp(found.st_mtime, UTC)
    return LatestBackup(at, files[-1], found.st_size, contents is not None)


def read_copied_at(folder: Path) -> datetime | None:
    """When the backups were last copied to another place, as deploy/copy-backups.sh notes it; None for never."""
    try:
        return datetime.fromtimestamp((folder / COPIED).stat().st_mtime, UTC)
    except FileNotFoundError:
        return None


def describe_state(chosen: Settings) -> str:
    """The state of the backups as a French line.

    Raises:
        BackupProblem: when there is none, or the last is old or damaged.
    """
    if chosen.backup_dir is None:
        return OFF
    found = find_latest(chosen)
    if found is None:
        raise BackupProblem(NONE_YET.format(folder=chosen.backup_dir))
    if not found.is_whole:
        raise BackupProblem(BROKEN.format(file=found.file))
    at = clock.short_date(found.at)
    if found.at > clock.now() + AHEAD:
        raise BackupProblem(TO_COME.format(at=at, file=found.file))
    if clock.now() - found.at > OVERDUE:
        raise BackupProblem(LATE.format(at=at, folder=chosen.backup_dir))
    return WELL.format(at=at, megabytes=f"{found.bytes / 1_000_000:.1f}".replace(".", ","))


def _day(from_hour: int) -> datetime:
    """The club's day whose backup is due: until that hour it is the day before."""
    return clock.to_local(clock.now() - timedelta(hours=from_hour))


def _files(folder: Path) -> list[Path]:
    """The automatic backups, the oldest first; other files are ignored."""
    return sorted(path for path in folder.glob("club-*.zip") if _NAME.fullmatch(path.name))


@contextmanager
def _folder_lock(folder: Path) -> Iterator[bool]:
    """Try to lock the folder for this process. The lock of a dead process is released by the system."""
    with (folder / ".lock").open("w") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


@lru_cache(maxsize=2)
def _read_through(file: Path, _changed_at: int, _size: int) -> ArchiveContents | None:
    try:
        with archive.read_archive(file) as kept:
            return kept.contents
    except Refusal:
        return None
