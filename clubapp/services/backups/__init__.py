"""Backups: the database and the pictures in one archive, and the way back from it (R8; decision 0011)."""

from clubapp.services.backups.archive import Contents
from clubapp.services.backups.create import make
from clubapp.services.backups.daily import LatestBackup, NotKept, back_up_daily, latest, tell
from clubapp.services.backups.downgrade import WentBack, go_back
from clubapp.services.backups.restore import Restored, restore

__all__ = [
    "Contents",
    "LatestBackup",
    "NotKept",
    "Restored",
    "WentBack",
    "back_up_daily",
    "go_back",
    "latest",
    "make",
    "restore",
    "tell",
]
