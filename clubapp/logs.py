"""Logs without secrets: no token, no address in clear, for people or for machines (W11)."""

import json
import logging
import re
import sys
from datetime import UTC, datetime

from clubapp.settings import settings

_ADDRESS = re.compile(r"([A-Za-z0-9._%+-]{1,2})[A-Za-z0-9._%+-]*@([A-Za-z0-9.-]+)")
# Tokens are 43 characters of base64url; cookies, codes in addresses and signed texts are longer.
_SECRET = re.compile(r"[A-Za-z0-9_-]{43,}(?:\.[A-Za-z0-9_-]+)*")
_NAMED_SECRET = re.compile(r"(?i)\b(token|nonce|code|secret|password)(['\"]?\s*[=:]\s*['\"]?)[^\s'\"&,;]+")


def masked(text: str) -> str:
    """The text without tokens and without full addresses."""
    text = _NAMED_SECRET.sub(r"\1\2…", text)
    return _ADDRESS.sub(r"\1…@\2", _SECRET.sub("…", text))


class ConsoleFormatter(logging.Formatter):
    """One readable line, and the trace below it."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s", "%H:%M:%S")

    def format(self, record: logging.LogRecord) -> str:
        """The record as text, masked."""
        return masked(super().format(record))


class JsonFormatter(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as JSON, masked."""
        entry = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": masked(record.getMessage()),
        }
        if record.exc_info:
            entry["trace"] = masked(self.formatException(record.exc_info))
        return json.dumps(entry, ensure_ascii=False)


def configure() -> None:
    """Send every log of this process to stderr, in the form `CLUB_LOG_FORMAT` names."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if settings().log_format == "json" else ConsoleFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    for name in ("reflex", "reflex_base", "reflex.app"):
        logging.getLogger(name).handlers.clear()
    # These tell every message and every job at INFO, which nobody reads.
    for name in ("apscheduler", "alembic", "httpx", "engineio", "socketio", "_granian"):
        logging.getLogger(name).setLevel(logging.WARNING)
