"""Serves the site on one port from the built front end, without Node.

With several workers, the process that supervises them imports nothing of ours at its top level, and so stays small.
"""

import ctypes
import gc
import logging
import os
import resource
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

# Largest websocket message, in characters: more than the longest form, an event with all its speakers.
LARGEST_MESSAGE = 100_000
WELCOME_SECONDS = 120  # the welcome is given up when the site does not answer within this time
KEEP_ALIVE_SECONDS = 150  # longer than proxies keep an idle connection, so that they never send on a closed one
HANGS_SECONDS = 10  # a worker whose health thread is silent for so long is replaced
WAITS_SECONDS = 5  # before a worker that cannot start ends, and the supervisor starts another
GOODBYE_SECONDS = 10  # for requests under way at the end: less than systemd and Docker wait
_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of prctl(2)
MOST_FILES = 65_536
_M_ARENA_MAX = -8  # M_ARENA_MAX of mallopt(3)
_REFLEX = {
    "__REFLEX_MOUNT_FRONTEND_COMPILED_APP": "true",
    "__REFLEX_SKIP_COMPILE": "true",
    "REFLEX_ENV_MODE": "prod",
    "REFLEX_USE_NPM": "1",
    "REFLEX_TELEMETRY_ENABLED": "false",
    "REFLEX_SOCKET_MAX_HTTP_BUFFER_SIZE": str(LARGEST_MESSAGE),
}
_MEMORY = "/dev/shm"  # noqa: S108 - a folder with a name of its own is made in it
_LOOPBACK_OF = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - only to call ourselves


class WarningsAndDeaths(logging.Filter):
    """Of what uvicorn says, lets warnings pass and that a worker has died."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record is written."""
        return record.levelno >= logging.WARNING or (
            record.name.startswith("uvicorn") and " died" in record.getMessage()
        )


def _log_config(line: str) -> dict[str, Any]:
    """Logging of uvicorn until a worker configures its own: to stderr, in the format that our logs have."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"format": line, "datefmt": "%Y-%m-%dT%H:%M:%S%z"}},
        "filters": {"deaths": {"()": "clubapp.serving.server.WarningsAndDeaths"}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["deaths"]}},
        "root": {"handlers": ["stderr"]},
    }


_LOGS = {
    "console": _log_config("%(asctime)s %(levelname)s %(name)s: %(message)s"),
    "json": _log_config(
        '{"at": "%(asctime)s", "level": "%(levelname)s", "logger": "%(name)s", "process": %(process)d, '
        '"reference": "", "message": "%(message)s"}'
    ),
}


def serve(host: str, port: int, workers: int, welcome: str, *, afresh: bool) -> None:
    """Serve until SIGTERM or SIGINT, which end it cleanly. The database must be migrated and the front end built.

    `welcome`, if any, is printed once the site answers. With `afresh` the process is replaced by a new program, which
    frees the memory that the preparations took.
    """
    os.chdir(Path(__file__).resolve().parent.parent.parent)
    os.environ.update(_REFLEX)
    if workers == 1 and not afresh:
        main(host, port, workers, welcome)
        return
    sys.stdout.flush()
    # A new program in the same process. Each worker imports its main module, which must be small.
    os.execv(sys.executable, [sys.executable, "-m", __name__, host, str(port), str(workers), welcome])  # noqa: S606


def main(host: str, port: int, workers: int, welcome: str) -> None:
    """Serve until SIGTERM or SIGINT, with this process alone or with workers that it supervises."""
    import uvicorn  # not loaded by the process that only starts a new program

    if workers == 1:
        _tune_process()
    # A clean end exits with 0, also during the start: uvicorn raises the signal again when it has shut down.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    if welcome:
        threading.Thread(target=_print_welcome, args=[host, port, welcome], daemon=True).start()
    with _metrics_folder(workers):
        # A worker that dies is replaced, and the others go on.
        uvicorn.run(
            "clubapp.clubapp:app" if workers == 1 else "clubapp.serving.server:application",
            factory=True,
            host=host,
            port=port,
            workers=workers,
            lifespan="on",
            http="clubapp.serving.connection_limits:LimitedHttp",
            ws="clubapp.serving.connection_limits:LimitedWebsocket",
            ws_max_size=4 * LARGEST_MESSAGE,  # in bytes
            ws_per_message_deflate=False,  # it would take the memory of a compressor for each open page
            ws_ping_interval=None,  # engine.io has pings of its own
            proxy_headers=False,  # our settings name the trusted proxies (clubapp.py)
            server_header=False,
            access_log=False,  # addresses of answer pages contain a token
            log_config=_LOGS[os.environ.get("CLUB_LOG_FORMAT", "console")],
            log_level="info",
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=GOODBYE_SECONDS,
            timeout_worker_healthcheck=HANGS_SECONDS,
        )


def application() -> Any:
    """The application of a worker. One that cannot start waits before it ends, for the next one would fail as fast.

    It ends by `os._exit`, because the supervisor would wait for an orderly end and not answer signals meanwhile.
    """
    try:
        from clubapp.clubapp import app

        return app()
    except Exception as error:
        message = " ".join(str(error).split()).replace('"', "'")
        logging.getLogger(__name__).error("a worker cannot begin: %s: %s", type(error).__name__, message)
        time.sleep(WAITS_SECONDS)
        os._exit(1)


@contextmanager
def _metrics_folder(workers: int) -> Iterator[None]:
    """Give several workers one folder for their metrics: in memory if possible, so that a full disk does not matter."""
    if workers == 1:
        yield
        return
    memory = _MEMORY if os.access(_MEMORY, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="club-metrics-", dir=memory) as folder:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
        yield


def _print_welcome(host: str, port: int, welcome: str) -> None:
    until = time.monotonic() + WELCOME_SECONDS
    while time.monotonic() < until:
        if _is_healthy(_LOOPBACK_OF.get(host, host), port):
            sys.stdout.write(f"{welcome}\n")
            sys.stdout.flush()
            return
        time.sleep(0.1)


def _is_healthy(host: str, port: int) -> bool:
    try:
        with socket.create_connection((host, port), timeout=2) as connection:
            connection.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            return connection.recv(64).split(b" ")[1:2] == [b"200"]
    except OSError:
        return False


def _tune_process() -> None:
    """Set memory and open-file limits of a process that serves."""
    gc.disable()  # until it serves: what a start loads stays in memory
    hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard_limit if 0 <= hard_limit < MOST_FILES else MOST_FILES, hard_limit))
    # With two heaps instead of one for each of forty threads, the process keeps a fifth less memory.
    with suppress(AttributeError):  # only glibc has mallopt
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 2)


def _end_with_parent() -> None:
    """Have Linux end this worker when its supervisor is killed: otherwise it would keep the port."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)


if __name__ == "__mp_main__":
    _end_with_parent()
    _tune_process()
if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
