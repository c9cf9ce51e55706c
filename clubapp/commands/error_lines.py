"""Errors of commands as one French line each."""

import errno
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from obstore.exceptions import BaseError as StoreError
from pydantic_settings import SettingsError as UnreadableEnvironment
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError, ProgrammingError

from clubapp.database import MISSING_FILE
from clubapp.frontend_build import BuildFailed
from clubapp.infra.error_causes import FULL_DISK, tells_of_full_disk
from clubapp.infra.error_causes import describe_cause as why
from clubapp.infra.server_lock import DatabaseInWork, ServerRuns
from clubapp.migrations import NewerDatabase, OlderSchema, UnknownRevision, WholeSchema
from clubapp.refusals import Refusal
from clubapp.settings import SettingsError, settings


class Failure(Exception):
    """A command failed; the message is the French line to print."""


def explain(error: Exception) -> str | None:
    """The line to print for an expected error; None for any other."""
    return next((line(error) for kind, line in _FORESEEN.items() if isinstance(error, kind)), None)


def _database(error: DBAPIError) -> str:
    reason = _first_line(error.orig)
    if any(sign in reason for sign in ("no such table", "does not exist", MISSING_FILE)):
        return (
            "CLUB_DATABASE_URL: la base n’a pas de schéma, ou un ancien\u00a0; lancez "
            "«\u00a0python -m clubapp migrate\u00a0»"
        )
    if tells_of_full_disk(error):
        return f"CLUB_DATABASE_URL: {FULL_DISK}"
    return f"CLUB_DATABASE_URL: base injoignable ({reason})"


def _file(error: OSError) -> str:
    if not error.filename:
        return why(error)
    where = os.fsdecode(error.filename)
    is_ours = error.errno != errno.EISDIR and _is_of_the_data(Path(where).absolute())
    return f"{'CLUB_DATA_DIR: ' if is_ours else ''}{where}: {why(error)}"


def _is_of_the_data(path: Path) -> bool:
    """Whether a path is the data folder, in it, or one of its parents."""
    with suppress(SettingsError, OSError):
        folder = settings().data_dir
        return path == folder or folder in path.parents or path in folder.parents
    return False


def _first_line(cause: object) -> str:
    return str(cause).strip().splitlines()[0] if str(cause).strip() else type(cause).__name__


_FORESEEN: dict[type[Exception], Callable[..., str]] = {
    Failure: str,
    SettingsError: str,
    BuildFailed: str,
    UnreadableEnvironment: str,
    Refusal: lambda error: error.text,
    NewerDatabase: lambda error: f"CLUB_DATABASE_URL: {error}",
    UnknownRevision: str,
    OlderSchema: str,
    WholeSchema: str,
    ServerRuns: str,
    DatabaseInWork: str,
    OperationalError: _database,
    ProgrammingError: _database,
    ArgumentError: lambda error: f"CLUB_DATABASE_URL: adresse illisible ({_first_line(error)})",
    StoreError: lambda error: f"CLUB_MEDIA_URL: les images ne répondent pas ({why(error)})",
    OSError: _file,
}
