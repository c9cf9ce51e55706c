"""Serves everything on one port from the built front end, without Node and without rebuilding."""

import multiprocessing
import os

from clubapp.settings import ROOT

# Largest websocket message, in bytes: the longest form with room to spare.
LARGEST_MESSAGE = 100_000
_REFLEX = {
    "__REFLEX_MOUNT_FRONTEND_COMPILED_APP": "true",
    "__REFLEX_SKIP_COMPILE": "true",
    "REFLEX_ENV_MODE": "prod",
    "REFLEX_USE_NPM": "1",
    "REFLEX_TELEMETRY_ENABLED": "false",
    "REFLEX_SOCKET_MAX_HTTP_BUFFER_SIZE": str(LARGEST_MESSAGE),
}


def serve(host: str, port: int, workers: int) -> None:
    """Listen until SIGTERM or SIGINT. The database is migrated and the front end built before."""
    os.chdir(ROOT)
    os.environ.update(_REFLEX)
    # One heap for each of forty worker threads would hold on to a fifth more memory than two do.
    os.environ.setdefault("MALLOC_ARENA_MAX", "2")
    # A worker begins afresh. A copy of this process would have its locks and connections, and none of its threads:
    # the store of pictures would wait for them for ever.
    multiprocessing.set_start_method("spawn", force=True)
    from granian.constants import Interfaces
    from granian.log import LogLevels
    from granian.server import Server

    Server(
        target="clubapp.clubapp:app",
        factory=True,
        address=host,
        port=port,
        interface=Interfaces.ASGI,
        workers=workers,
        log_level=LogLevels.warning,
    ).serve()
