"""How many answers a second are stored, and how long the slowest wait."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

from sqlmodel import select, text

from clubapp import clock
from clubapp.database import transaction
from clubapp.models import Member
from clubapp.services import answers
from tests.factories import add_event, add_reservation
from tests.load.figures import Figure, percentile
from tests.load.installation import installation

MEMBERS, PEOPLE_AT_ONCE = 600, 16
Links = list[tuple[str, str, str]]


def measure(folder: Path) -> list[Figure]:
    """Everyone says yes, as fast as the service lets them; beside it, bare updates committed one by one."""
    with installation(folder, MEMBERS):
        links = _invite_everyone()
        served, waits = _timed(lambda link: _answer(*link), links)
        bare, bare_waits = _timed(lambda link: _bare_update(link[0]), links)
    return [
        Figure(
            f"answers stored, {PEOPLE_AT_ONCE} people at once, SQLite",
            f"{served:.0f}/s, p99 {percentile(waits, 0.99) * 1000:.0f} ms",
            f"{bare:.0f}/s, p99 {percentile(bare_waits, 0.99) * 1000:.0f} ms for bare durable updates",
        )
    ]


def _invite_everyone() -> Links:
    with transaction() as session:
        event = add_event(session, date=clock.now() + timedelta(days=900), status="confirmed")
        made = [add_reservation(session, event, member) for member in session.exec(select(Member)).all()]
        return [(reservation.id, event.id, token) for reservation, token in made]


def _answer(_reservation_id: str, event_id: str, token: str) -> None:
    with transaction() as session:
        answers.attend(session, event_id, token, True)


def _bare_update(reservation_id: str) -> None:
    with transaction() as session:
        session.connection().execute(
            text("UPDATE event_reservations SET will_attend = NOT will_attend WHERE id = :id"), {"id": reservation_id}
        )


def _timed(act: Callable[[tuple[str, str, str]], None], links: Links) -> tuple[float, list[float]]:
    """Acts a second, and how long each took from being asked to being stored."""

    def one(link: tuple[str, str, str]) -> float:
        begun = time.perf_counter()
        act(link)
        return time.perf_counter() - begun

    begun = time.perf_counter()
    with ThreadPoolExecutor(PEOPLE_AT_ONCE) as people:
        waits = list(people.map(one, links))
    return len(links) / (time.perf_counter() - begun), waits
