"""Refusals of this process, in numbers: a job writes them into the journal of acts, so that an attack is one entry."""

import threading
from collections import Counter

SIGN_IN, CODE, FACTOR, ORIGIN, EVENT, DOWNLOAD = "sign_in", "code", "factor", "origin", "event", "download"
FUNCTION, CONNECTION, PACE = "function", "connection", "pace"
LABELS = {
    SIGN_IN: "demandes et liens de connexion",
    CODE: "codes de connexion",
    FACTOR: "codes et clés de la double vérification",
    ORIGIN: "requêtes d’un autre site",
    EVENT: "actions sans droit",
    DOWNLOAD: "téléchargements sans droit",
    FUNCTION: "appels sans jeton qui y donne droit",
    CONNECTION: "connexions de trop, ou coupées pour leurs messages",
    PACE: "fichiers et exports demandés trop vite",
}

_counts: Counter[str] = Counter()
_lock = threading.Lock()


def count(kind: str) -> None:
    """Count one refusal."""
    with _lock:
        _counts[kind] += 1


def take() -> dict[str, int]:
    """The refusals since the last call, by kind."""
    with _lock:
        taken = dict(_counts)
        _counts.clear()
    return taken


def put_back(taken: dict[str, int]) -> None:
    """Count again what could not be written."""
    with _lock:
        _counts.update(taken)
