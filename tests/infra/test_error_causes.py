"""The causes of errors are told in French, whichever library raises them."""

import errno
import sqlite3

import pytest
from obstore.exceptions import GenericError

from clubapp.infra.error_causes import describe_cause


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, "No space left on device"),
        sqlite3.OperationalError("database or disk is full"),
        GenericError(
            "Generic LocalFileSystem error: Unable to copy data to file: No space left on device (os error 28)"
        ),
    ],
    ids=["system", "database", "pictures"],
)
def test_a_full_disk_is_told_in_french(error: Exception) -> None:
    assert describe_cause(error) == "il n’y a plus de place sur le disque"
