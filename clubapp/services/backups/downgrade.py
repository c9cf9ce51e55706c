"""The way back to an older schema, a backup first: what the newer one stored in columns of its own is lost on it."""

from dataclasses import dataclass
from pathlib import Path

from clubapp import clock, migrations
from clubapp.services.backups.create import make
from clubapp.settings import settings


@dataclass(frozen=True)
class WentBack:
    """From which schema to which, and the backup that was made before."""

    before: str
    after: str
    file: Path


def go_back(to: str) -> WentBack | None:
    """Migrate to a schema. When it is older than the present one, a backup is made first; without it nothing changes.

    Returns:
        What was done on the way back; None when it was none.

    Raises:
        WholeSchema, NewerDatabase, UnknownRevision: as `migrations.migrate`.
        OSError: when the backup cannot be written.
    """
    try:
        migrations.migrate(to)
    except migrations.OlderSchema as refused:
        file = _back_up(refused.before)
        migrations.migrate(to, back=True)
        return WentBack(refused.before, to, file)
    return None


def _back_up(schema: str) -> Path:
    """A backup in a file of its own, which the daily ones neither count nor remove."""
    folder = settings().backup_dir or settings().data_dir / "backups"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = folder / f"avant-retour-{schema}-{clock.to_local(clock.now()):%Y%m%d-%H%M%S}.zip"
    file.touch(mode=0o600, exist_ok=False)  # another one of this second is not replaced
    try:
        make(file)
    except BaseException:
        file.unlink()
        raise
    return file
