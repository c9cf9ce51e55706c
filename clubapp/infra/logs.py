"""Logs without secrets: no token, no address in clear, for people or for machines (W11).

Whatever is logged about one request, one event or one run of a job bears the same reference, which is also what
people are shown when something went wrong.
"""

import json
import logging
import re
import secrets
import sys
import time
from collections import Counter
from contextvars import ContextVar
from datetime import UTC, datetime

from clubapp.settings import settings

LONGEST = 8_000
PER_MINUTE = 30
# The look behind keeps it linear: a visitor's text of any length is masked in no time.
_ADDRESS = re.compile(r"(?<![\w.%+-])([\w.%+-]{1,2})[\w.%+-]*@([\w.-]+)")
# Tokens are 43 characters of base64url; cookies, codes in addresses and signed texts are longer.
_SECRET = re.compile(r"[A-Za-z0-9_-]{43,}(?:\.[A-Za-z0-9_-]+)*")
_NAMED_SECRET = re.compile(r"(?i)\b(token|nonce|code|secret|password)(['\"]?\s*[=:]\s*['\"]?)[^\s'\"&,;]+")
# What is being done: a request, an event, a run of a job.
_reference: ContextVar[str] = ContextVar("reference", default="")


def mask(text: str, *, address: str = r"\1…@\2") -> str:
    """The text without tokens and without full addresses; `address` is what stands in their place."""
    text = _NAMED_SECRET.sub(r"\1\2…", text)
    return _ADDRESS.sub(address, _SECRET.sub("…", text))


def begin_reference(reference: str = "") -> None:
    """What is logged from here on, in this task or thread, is about something else. Its reference is made if none."""
    _reference.set(reference or secrets.token_hex(4).upper())


def reference() -> str:
    """The reference of what is being done; empty outside of any request, event or job."""
    return _reference.get()


def log_unexpected(log: logging.Logger, error: Exception) -> str:
    """Log an error nobody foresaw; its reference is what people are shown."""
    if not reference():
        begin_reference()
    log.error("unexpected error %s", reference(), exc_info=error)
    return reference()


def shorten(text: str) -> str:
    """The beginning and the end of a long text: what happened, and the error that came of it."""
    half = LONGEST // 2
    return text if len(text) <= LONGEST else f"{text[:half]} […] {text[-half:]}"


class RateLimit(logging.Filter):
    """So many records a minute from one place in the code: who provokes errors fills no disk.

    An error's place is where it was raised, so that a flood of one error hides no other.
    """

    def __init__(self) -> None:
        super().__init__()
        self._seen: Counter[tuple[object, ...]] = Counter()
        self._until = 0.0

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record is written."""
        now = time.monotonic()
        if now >= self._until:
            self._seen.clear()
            self._until = now + 60
        place = _place(record)
        self._seen[place] += 1
        if self._seen[place] == PER_MINUTE:
            record.msg, record.args = f"{record.getMessage()} (more of this is left out for a minute)", None
        return self._seen[place] <= PER_MINUTE


def _place(record: logging.LogRecord) -> tuple[object, ...]:
    error = record.exc_info[1] if record.exc_info else None
    trace = error.__traceback__ if error else None
    while trace and trace.tb_next:
        trace = trace.tb_next
    raised = (type(error), trace.tb_frame.f_code, trace.tb_lineno) if trace else ()
    return (record.pathname, record.lineno, *raised)


class ConsoleFormatter(logging.Formatter):
    """One readable line, and the trace below it."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s%(about)s: %(message)s", "%H:%M:%S")

    def format(self, record: logging.LogRecord) -> str:
        """The record as text, masked; what follows its first line is set in, so that no text can pose as a record."""
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


class UnreadableMessages(logging.Filter):
    """A message of a client that cannot be read is a mistake of its own: a line says so, without a trace."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Make it a warning; what else went wrong stays as it is."""
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, ValueError | RecursionError):
            record.levelno, record.levelname = logging.WARNING, "WARNING"
            record.msg, record.args, record.exc_info = "a message cannot be read: %s", (type(error).__name__,), None
        return True


def configure(*others: logging.Handler) -> None:
    """Send every log of this process to stderr, in the form `CLUB_LOG_FORMAT` names, and to `others`."""
    stderr = logging.StreamHandler(sys.stderr)
    stderr.setFormatter(JsonFormatter() if settings().log_format == "json" else ConsoleFormatter())
    for handler in (stderr, *others):
        handler.addFilter(RateLimit())
    root = logging.getLogger()
    root.handlers[:] = [stderr, *others]
    root.setLevel(logging.INFO)
    logging.captureWarnings(capture=True)
    for name in ("reflex", "reflex_base", "reflex.app"):
        logging.getLogger(name).handlers.clear()
    # These tell every message and every job at INFO, which nobody reads. The servers of sockets, had they no level of
    # their own, would print errors once more beside our logs, with what a client sent.
    quiet = ("apscheduler", "alembic", "httpx", "engineio.server", "socketio.server", "uvicorn", "engineio", "socketio")
    for name in quiet:
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.getLogger("engineio.server").addFilter(UnreadableMessages())
