"""Logs without secrets: no token and no full e-mail address, as text or as JSON (W11).

All that is logged about one request, one event or one run of a job has the same reference, which people are shown when
something goes wrong.
"""

import json
import logging
import random
import re
import sqlite3
import sys
import time
from collections import Counter
from contextvars import ContextVar
from datetime import UTC, datetime

from clubapp.settings import settings

LONGEST = 8_000
PER_MINUTE = 30
OUTAGE_SECONDS = 60
_MOST_CAUSES = 20
# The lookbehind keeps the search linear in the length of the text.
_ADDRESS = re.compile(r"(?<![\w.%+-])([\w.%+-]{1,2})[\w.%+-]*@([\w.-]+)")
# Tokens are 43 characters of base64url; cookies, codes in URLs and signed texts are longer.
_SECRET = re.compile(r"[A-Za-z0-9_-]{43,}(?:\.[A-Za-z0-9_-]+)*")
_NAMED_SECRET = re.compile(r"(?i)\b(token|nonce|code|secret|password)(['\"]?\s*[=:]\s*['\"]?)[^\s'\"&,;]+")
# All but tab and line feed: ends of lines, escape sequences of a terminal, changes of the direction of writing.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
# Of the current request, event, run of a job or round of a watch.
_reference: ContextVar[str] = ContextVar("reference", default="")
_outage_references: dict[str, str] = {}  # of the line that each service's last outage left


def mask(text: str, *, address: str = r"\1…@\2") -> str:
    """The text without tokens and full e-mail addresses, with control characters written out.

    `address` is the pattern that replaces addresses.
    """
    text = _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
    text = _NAMED_SECRET.sub(r"\1\2…", text)
    return _ADDRESS.sub(address, _SECRET.sub("…", text))


def begin_reference(reference: str = "") -> None:
    """Set the reference of all that this task or thread logs from now on; a new one unless it is given."""
    _reference.set(reference or f"{random.getrandbits(32):08X}")


def reference() -> str:
    """The current reference; empty outside of any request, event, job or watch."""
    return _reference.get()


def log_unexpected(log: logging.Logger, error: Exception) -> str:
    """Log an unforeseen error with its trace, and return the reference that people are shown.

    Of an outage it is the reference of its only line.
    """
    if not reference():
        begin_reference()
    log.error("unexpected error %s", reference(), exc_info=error)
    cut = _find_disconnection(error)
    return (cut and _outage_references.get(_name_service(cut))) or reference()


def is_outage(error: BaseException) -> bool:
    """Whether the database or Redis did not answer, the file of SQLite included."""
    return _find_disconnection(error) is not None


def shorten(text: str) -> str:
    """The text, or the first and last characters of one longer than LONGEST: a trace ends with its error."""
    half = LONGEST // 2
    return text if len(text) <= LONGEST else f"{text[:half]} […] {text[-half:]}"


class RateLimit(logging.Filter):
    """Lets PER_MINUTE records a minute pass from one line of code, so that provoked errors cannot fill the disk.

    The line of an error is where it was raised, so that a flood of one error hides no other.
    """

    def __init__(self) -> None:
        super().__init__()
        self._seen: Counter[tuple[object, ...]] = Counter()
        self._until = 0.0

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record is written; the last one of a minute says that more are left out."""
        now = time.monotonic()
        if now >= self._until:
            self._seen.clear()
            self._until = now + 60
        source = _find_source(record)
        self._seen[source] += 1
        if self._seen[source] == PER_MINUTE:
            record.msg, record.args = f"{record.getMessage()} (more of this is left out for a minute)", None
        return self._seen[source] <= PER_MINUTE


def _find_source(record: logging.LogRecord) -> tuple[object, ...]:
    error = record.exc_info[1] if record.exc_info else None
    trace = error.__traceback__ if error else None
    while trace and trace.tb_next:
        trace = trace.tb_next
    raised = (type(error), trace.tb_frame.f_code, trace.tb_lineno) if trace else ()
    return (record.pathname, record.lineno, *raised)


class Outages(logging.Filter):
    """Leaves one line of an outage of the database or of Redis, however many errors it causes.

    An outage is over when nothing was logged about it for OUTAGE_SECONDS.
    """

    def __init__(self) -> None:
        super().__init__()
        self._last: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record is written; the first of an outage loses its trace."""
        error = _find_disconnection(record.exc_info[1] if record.exc_info else None)
        service = _name_service(error) if error else _REDIS if _is_about_redis(record) else ""
        if not service:
            return True
        if record.name == "asyncio":  # tells at any later time of a task that nobody asked how it went
            return False
        now, before = time.monotonic(), self._last.get(service, float("-inf"))
        self._last[service] = now
        if error:
            cause = " ".join(str(error).split())
            record.msg, record.args, record.exc_info = "%s does not answer: %s", (service, cause[:300]), None
        is_new = now - before > OUTAGE_SECONDS
        if is_new:
            _outage_references[service] = reference()
        return is_new


_DATABASE, _REDIS = "the database", "Redis"
# Of psycopg: no connection, or one that the server has ended (SQLSTATE classes 08 and 57P).
_CUT = ("08", "57P")
# Of SQLite: its file is not there.
_GONE = ("the database file is missing", "unable to open database file")


def _find_disconnection(error: BaseException | None) -> BaseException | None:
    """The error of a driver that lost its server, among the causes of an error."""
    seen = 0
    while error is not None and seen < _MOST_CAUSES:
        kind = type(error)
        if kind.__module__ == "redis.exceptions" and kind.__name__ in ("ConnectionError", "TimeoutError"):
            return error
        if isinstance(error, sqlite3.OperationalError) and str(error) in _GONE:
            return error
        if any(base.__module__ == "psycopg" and base.__name__ == "OperationalError" for base in kind.__mro__):
            state = getattr(error, "sqlstate", None)
            if state is None or state.startswith(_CUT):
                return error
        error, seen = error.__cause__ or error.__context__, seen + 1
    return None


def _name_service(error: BaseException) -> str:
    return _REDIS if type(error).__module__ == "redis.exceptions" else _DATABASE


def _is_about_redis(record: logging.LogRecord) -> bool:
    """Whether a line without a trace tells of a Redis that is away, as Reflex's own tasks do."""
    text = record.getMessage()
    is_of_reflex = record.name.startswith("reflex.utils") and "connecting" in text
    return is_of_reflex or (
        record.levelno >= logging.INFO and "Redis" in text and ("Error" in text or "Timeout" in text)
    )


class ConsoleFormatter(logging.Formatter):
    """A readable line, with the trace below it."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s%(about)s: %(message)s", "%H:%M:%S")

    def format(self, record: logging.LogRecord) -> str:
        """The record as text, masked; later lines are indented, so that a logged text cannot forge a record."""
        record.about = f" [{reference()}]" if reference() else ""
        return shorten(mask(super().format(record))).replace("\n", "\n    ")


class JsonFormatter(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as JSON, masked."""
        entry = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "process": record.process,
            "reference": reference(),
            "message": shorten(mask(record.getMessage())),
        }
        if record.exc_info:
            entry["trace"] = shorten(mask(self.formatException(record.exc_info)))
        return json.dumps(entry, ensure_ascii=False)


class SocketMessages(logging.Filter):
    """Drops the warning about each client that left before its message, and shortens the error of one that cannot be
    parsed to a line without a trace."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is kept, which may be changed."""
        if str(record.msg).startswith("Cannot send to sid"):
            return False
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, ValueError | RecursionError):
            record.levelno, record.levelname = logging.WARNING, "WARNING"
            record.msg, record.args, record.exc_info = "a message cannot be read: %s", (type(error).__name__,), None
        return True


def configure(*others: logging.Handler) -> None:
    """Send every log of this process to stderr, in the format of `CLUB_LOG_FORMAT`, and to the handlers `others`."""
    stderr = logging.StreamHandler(sys.stderr)
    stderr.setFormatter(JsonFormatter() if settings().log_format == "json" else ConsoleFormatter())
    for handler in (stderr, *others):
        handler.addFilter(Outages())
        handler.addFilter(RateLimit())
    root = logging.getLogger()
    root.handlers[:] = [stderr, *others]
    root.setLevel(logging.INFO)
    logging.captureWarnings(capture=True)
    for name in ("reflex", "reflex_base", "reflex.app"):
        logging.getLogger(name).handlers.clear()
    # At INFO these log every message and every job. The socket servers without a level of their own would also print
    # errors beside our logs, with what a client sent.
    quiet = (
        "apscheduler",
        "alembic",
        "httpx",
        "fontTools",
        "engineio.server",
        "socketio.server",
        "uvicorn",
        "uvicorn.error",
        "engineio",
        "socketio",
    )
    for name in quiet:
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.getLogger("engineio.server").addFilter(SocketMessages())
