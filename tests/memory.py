"""What tests write stays in memory where the machine has enough: how long a disk takes is not what they show."""

import os
import shutil
import tempfile
from multiprocessing.util import Finalize
from pathlib import Path

_MEMORY, _ENOUGH = Path("/dev/shm"), 4 * 2**30
_NAME = "club-tests-"
_LAST = -200  # after the folder that multiprocessing makes in it


def keep_in_memory() -> None:
    """Give this process, and those it starts, a folder in memory for what is temporary; it goes at their end.

    `--basetemp` keeps what a test wrote, for whoever wants to see it.
    """
    if not _MEMORY.is_dir() or shutil.disk_usage(_MEMORY).free < _ENOUGH:
        return
    for left in _MEMORY.glob(f"{_NAME}*"):  # by runs that were killed
        if not Path("/proc", left.name.removeprefix(_NAME)).exists():
            shutil.rmtree(left, ignore_errors=True)
    folder = _MEMORY / f"{_NAME}{os.getpid()}"
    folder.mkdir(exist_ok=True)
    tempfile.tempdir = os.environ["TMPDIR"] = str(folder)
    Finalize(None, shutil.rmtree, args=(folder, True), exitpriority=_LAST)
