"""Serves everything on one port from the built front end, without Node and without rebuilding.

The process that looks after several workers stays as long as the site does, and is small: it imports nothing of ours.
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

# Largest websocket message, in characters: the longest form, an event with all its speakers, with room to spare.
LARGEST_MESSAGE = 100_000
PATIENCE_SECONDS = 120
KEEP_ALIVE_SECONDS = 150  # longer than proxies keep a connection: they must not find it closed under a request
HANGS_SECONDS = 10  # a worker that says nothing for so long is replaced; its answer needs no turn of its event loop
WAITS_SECONDS = 5  # between two tries of a worker that cannot begin
GOODBYE_SECONDS = 10  # for answers on their way, within what systemd and Docker wait
_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of prctl(2)
MOST_FILES = 65_536
_MOST_HEAPS = -8  # M_ARENA_MAX of mallopt(3)
_REFLEX = {
    "__REFLEX_MOUNT_FRONTEND_COMPILED_APP": "true",
    "__REFLEX_SKIP_COMPILE": "true",
    "REFLEX_ENV_MODE": "prod",
    "REFLEX_USE_NPM": "1",
    "REFLEX_TELEMETRY_ENABLED": "false",
    "REFLEX_SOCKET_MAX_HTTP_BUFFER_SIZE": str(LARGEST_MESSAGE),
}
_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - only to call ourselves


def _logs(line: str) -> dict[str, Any]:
    """What the server itself says goes where our logs go, in a form of theirs; a worker then sets up its own."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"format": line, "datefmt": "%Y-%m-%dT%H:%M:%S%z"}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"]},
    }


_LOGS = {
    "console": _logs("%(asctime)s %(levelname)s %(name)s: %(message)s"),
    "json": _logs(
        '{"at": "%(asctime)s", "level": "%(levelname)s", "logger": "%(name)s", "process": %(process)d, '
        '"reference": "", "message": "%(message)s"}'
    ),
}


def serve(host: str, port: int, workers: int, welcome: str, *, afresh: bool) -> None:
    """Serve until SIGTERM or SIGINT, which end it cleanly. The database is migrated and the front end built before.

    The welcome, if any, is printed once the site answers. `afresh` says that preparing took memory worth giving back.
    """
    os.chdir(Path(__file__).resolve().parent.parent.parent)
    os.environ.update(_REFLEX)
    if workers == 1 and not afresh:
        main(host, port, workers, welcome)
        return
    sys.stdout.flush()
    # A new program in the same process. Workers copy its main module, which has to be small.
    os.execv(sys.executable, [sys.executable, "-m", __name__, host, str(port), str(workers), welcome])  # noqa: S606


def main(host: str, port: int, workers: int, welcome: str) -> None:
    """Serve until SIGTERM or SIGINT: this process alone, or the workers it looks after."""
    import uvicorn  # not in the way of a new program

    if workers == 1:
        _settle_in()
    # A clean end is no failure, also while starting: the server raises the signal once more when all is done.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    if welcome:
        threading.Thread(target=_announce, args=[host, port, welcome], daemon=True).start()
    with _shared_figures(workers):
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
            ws_per_message_deflate=False,  # the memory of a compressor for each open page
            ws_ping_interval=None,  # engine.io has pings of its own
            proxy_headers=False,  # our settings say who is believed (clubapp.py)
            server_header=False,
            access_log=False,  # addresses of answer pages carry a token
            log_config=_LOGS[os.environ.get("CLUB_LOG_FORMAT", "console")],
            log_level="warning",
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=GOODBYE_SECONDS,
            timeout_worker_healthcheck=HANGS_SECONDS,
        )


def application() -> Any:
    """What a worker serves. One that cannot begin waits before it ends: the next one would fail as fast.

    It ends at once then: it would be waited for, and whoever looks after the workers would hear nothing meanwhile.
    """
    try:
        from clubapp.clubapp import app

        return app()
    except Exception as error:
        told = " ".join(str(error).split()).replace('"', "'")
        logging.getLogger(__name__).error("a worker cannot begin: %s: %s", type(error).__name__, told)
        time.sleep(WAITS_SECONDS)
        os._exit(1)


@contextmanager
def _shared_figures(workers: int) -> Iterator[None]:
    """Where several processes add up the times of their handlers: in memory, which a full disk does not stop."""
    memory = "/dev/shm"  # noqa: S108 - a folder of our own is made in it
    if workers == 1:
        yield
        return
    with tempfile.TemporaryDirectory(prefix="club-metrics-", dir=memory if os.path.isdir(memory) else None) as folder:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
        yield


def _announce(host: str, port: int, welcome: str) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until:
        if _answers(_EVERYWHERE.get(host, host), port):
            sys.stdout.write(f"{welcome}\n")
            sys.stdout.flush()
            return
        time.sleep(0.1)


def _answers(host: str, port: int) -> bool:
    try:
        with socket.create_connection((host, port), timeout=2) as connection:
            connection.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            return connection.recv(64).split(b" ")[1:2] == [b"200"]
    except OSError:
        return False


def _settle_in() -> None:
    """What the process that serves asks of its memory, and how many connections it may hold."""
    gc.disable()  # what is loaded stays, and would be looked through for nothing until it serves
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most if 0 <= most < MOST_FILES else MOST_FILES, most))
    # One heap for each of forty worker threads would hold on to a fifth more memory than two do.
    with suppress(AttributeError):  # only glibc has it
        ctypes.CDLL(None).mallopt(_MOST_HEAPS, 2)


def _end_with_parent() -> None:
    """Let the kernel end this worker when the process that looks after it is killed: it would keep the port (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)


if __name__ == "__mp_main__":
    _end_with_parent()
    _settle_in()
if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
