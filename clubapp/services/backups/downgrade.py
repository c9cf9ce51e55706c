"""Downgrade to an older schema, after a backup: the data of newer columns is lost."""

from dataclasses import dataclass
from pathlib import Path

from clubapp import clock, migrations
from clubapp.services.backups.create import make_backup
from clubapp.settings import settings


@dataclass(frozen=True)
class Downgrade:
    """A downgrade: the schemas before and after, and the backup made before it."""

    before: str
    after: str
    file: Path


def downgrade_schema(to: str) -> Downgrade | None:
    """Migrate to a schema. If it is older than the present one, a backup is made first; if that fails, nothing changes.

    Returns:
        The downgrade; None when the migration was not one.

    Raises:
        WholeSchema, NewerDatabase, UnknownRevision: as `migrations.migrate`.
        OSError: when the backup cannot be written.
    """
    try:
        migrations.migrate(to)
    except migrations.OlderSchema as refused:
        file = _back_up(refused.before)
        migrations.migrate(to, back=True)
        return Downgrade(refused.before, to, file)
    return None


def _back_up(schema: str) -> Path:
    """Make a backup under a name that the daily ones neither count nor remove."""
    folder = settings().backup_dir or settings().data_dir / "backups"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = folder / f"avant-retour-{schema}-{clock.to_local(clock.now()):%Y%m%d-%H%M%S}.zip"
    file.touch(mode=0o600, exist_ok=False)  # do not replace another one of the same second
    try:
        make_backup(file)
    except BaseException:
        file.unlink()
        raise
    return file
