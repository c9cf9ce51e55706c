"""Downgrade to an older schema, after a backup."""

import errno
import os
from dataclasses import dataclass
from pathlib import Path

from clubapp import clock, migrations
from clubapp.database import transaction
from clubapp.migrations import Migration
from clubapp.refusals import Conflict
from clubapp.services.backups.create import make_backup
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor
from clubapp.set_aside import Loss
from clubapp.settings import settings

FROM_THE_NEWEST = (
    "La base est au schéma {before}, dont ce programme ne peut pas faire la sauvegarde\u00a0: «\u00a0migrate\u00a0» "
    "d’abord, puis «\u00a0migrate --to {to} --force\u00a0». Rien n’a été changé."
)


@dataclass(frozen=True)
class Downgrade:
    """A downgrade: the migration, what the older program does not see, and the backup made before it."""

    migration: Migration
    losses: tuple[Loss, ...]
    file: Path


def downgrade_schema(to: str, actor: Actor) -> Downgrade | Migration | None:
    """Migrate to a schema. If it is older than the present one, a backup is made first; if that fails, nothing changes.

    Returns:
        The downgrade, the migration when it was none, or None when there was nothing to do.

    Raises:
        WholeSchema, NewerDatabase, UnknownRevision: as `migrations.migrate`.
        Conflict: when the present schema is an older one already, which this program cannot back up.
        OSError: when the backup cannot be written.
    """
    try:
        return migrations.migrate(to)
    except migrations.OlderSchema as refused:
        if refused.before != migrations.newest_revision():
            raise Conflict(FROM_THE_NEWEST.format(before=refused.before, to=to)) from None
        file = _back_up(refused.before)
        with transaction() as session:  # before it: an older schema may have no journal of acts
            audit.record(session, actor, "command", name="migrate --to", schema=to)
        done = migrations.migrate(to, back=True)
        return done and Downgrade(done, refused.losses, file)


def _back_up(schema: str) -> Path:
    """Make a backup under a name that the daily ones neither count nor remove, and that only a whole one takes."""
    folder = settings().backup_dir or settings().data_dir / "backups"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for unfinished in folder.glob(".avant-retour-*.zip.*"):  # left by a process that was killed
        unfinished.unlink()
    file = folder / f"avant-retour-{schema}-{clock.to_local(clock.now()):%Y%m%d-%H%M%S}.zip"
    if file.exists():  # of the same second
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(file))
    make_backup(file)
    return file
