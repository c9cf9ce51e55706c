"""Backups of the database and the pictures in one archive: making, restoring, downgrading (R8; decision 0011)."""

from clubapp.services.backups.archive import ArchiveContents
from clubapp.services.backups.create import make_backup
from clubapp.services.backups.daily import (
    BackupProblem,
    LatestBackup,
    back_up_daily,
    describe_state,
    find_latest,
    read_copied_at,
)
from clubapp.services.backups.downgrade import Downgrade, downgrade_schema
from clubapp.services.backups.drill import DrillCheck, run_drill
from clubapp.services.backups.restore import Restored, restore

__all__ = [
    "ArchiveContents",
    "BackupProblem",
    "Downgrade",
    "DrillCheck",
    "LatestBackup",
    "Restored",
    "back_up_daily",
    "describe_state",
    "downgrade_schema",
    "find_latest",
    "make_backup",
    "read_copied_at",
    "restore",
    "run_drill",
]
