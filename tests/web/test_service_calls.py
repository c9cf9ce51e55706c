"""What screens that are left open ask: one reading for all of them, and never an old one (decision 0007)."""

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, func, select

from clubapp.database import _sqlite_writer, engine, reading  # pyright: ignore[reportPrivateUsage]
from clubapp.models import Event, Member
from clubapp.refusals import Forbidden
from clubapp.services.base.actors import Actor
from clubapp.web import service_calls
from tests.conftest import on_sqlite
from tests.factories import add_member, add_reservation

HELENE, OLIVIER = (Actor(email=f"{name}@beffroi.example", is_admin=True) for name in ("helene", "olivier"))
MARIE = Actor(email="marie@durand.example", is_admin=False)


class Asked:
    """A service that says how many members there are, and counts how often it was asked."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, session: Session, actor: Actor) -> int:
        """How many members there are."""
        self.times += 1
        return session.exec(select(func.count()).select_from(Member)).one()


def run(of: Callable[[], Any]) -> Any:
    service_calls._shared_readings.clear()  # pyright: ignore[reportPrivateUsage]
    return asyncio.run(of())


def test_who_asks_the_same_shares_one_reading(club: str) -> None:
    asked = Asked()

    async def screens() -> list[int]:
        together = await asyncio.gather(*(service_calls.read_shared(asked, who) for who in (HELENE, OLIVIER) * 10))
        return [*together, await service_calls.read_shared(asked, HELENE)]

    assert run(screens) == [0] * 21
    assert asked.times == 1


def test_another_question_is_another_reading(club: str) -> None:
    asked, other = Asked(), Asked()

    async def screens() -> None:
        await service_calls.read_shared(asked, HELENE)
        await service_calls.read_shared(other, HELENE)

    run(screens)
    assert (asked.times, other.times) == (1, 1)


@pytest.mark.parametrize(
    ("takes", "pause", "times"),
    [
        pytest.param(0.0, service_calls.SHARED_SECONDS + 0.1, 2, id="a quick one is shared for half a second"),
        pytest.param(0.02, service_calls.SHARED_SECONDS + 0.1, 1, id="a slow one is shared longer"),
        pytest.param(0.02, 1.0, 2, id="and less than the second after which a screen asks again"),
    ],
)
def test_a_reading_is_shared_for_a_while(
    club: str, monkeypatch: pytest.MonkeyPatch, takes: float, pause: float, times: int
) -> None:
    asked, now = Asked(), [100.0]
    monkeypatch.setattr(service_calls, "time", SimpleNamespace(monotonic=lambda: now[0]))

    async def screens() -> None:
        first = asyncio.ensure_future(service_calls.read_shared(asked, HELENE))
        await asyncio.sleep(0)
        now[0] += takes
        await first
        now[0] = 100.0 + pause
        await service_calls.read_shared(asked, OLIVIER)

    run(screens)
    assert asked.times == times


def test_one_on_its_way_is_joined_however_long_it_takes(club: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, now = Asked(), [100.0]
    monkeypatch.setattr(service_calls, "time", SimpleNamespace(monotonic=lambda: now[0]))

    async def screens() -> None:
        first = asyncio.ensure_future(service_calls.read_shared(asked, HELENE))
        await asyncio.sleep(0)
        now[0] += 10
        await asyncio.gather(first, service_calls.read_shared(asked, OLIVIER))

    run(screens)
    assert asked.times == 1


def test_what_an_administrator_changes_is_in_the_next_look(club: str) -> None:
    asked = Asked()

    def join(session: Session, actor: Actor) -> None:
        add_member(session, email=MARIE.email)

    async def screens() -> list[int]:
        before = await service_calls.read_shared(asked, OLIVIER)
        await service_calls.write(join, HELENE)
        return [before, await service_calls.read_shared(asked, HELENE)]

    assert run(screens) == [0, 1]


def test_nobody_else_looks_even_at_what_was_just_read(club: str) -> None:
    asked = Asked()

    async def screens() -> None:
        await service_calls.read_shared(asked, HELENE)
        await service_calls.read_shared(asked, MARIE)

    with pytest.raises(Forbidden):
        run(screens)


def join_as(session: Session, name: str) -> str:
    return add_member(session, name, f"{name}@club.example").name


def refuse(session: Session, name: str) -> str:
    join_as(session, name)
    raise Forbidden


def end_the_thread(session: Session, name: str) -> str:
    join_as(session, name)
    raise SystemExit


def end_an_iterator(session: Session, name: str) -> str:
    return next(each for each in () if each == join_as(session, name))


def break_the_commit(session: Session, name: str) -> str:
    session.connection().exec_driver_sql("PRAGMA defer_foreign_keys=ON")
    gone = Event(id="gone", title="", month="", location="")
    add_reservation(session, gone, add_member(session, name, f"{name}@club.example"))
    return name


def answer_together(*acts: tuple[Callable[[Session, str], str], str]) -> tuple[list[Any], int]:
    """What each act gave or raised, of acts that arrive while something else is being written; and the commits."""
    commits: list[Any] = []
    event.listen(engine(), "commit", commits.append)

    async def arrive() -> list[Any]:
        with _sqlite_writer:
            sent = [asyncio.ensure_future(service_calls.write_together(act, name)) for act, name in acts]
            await asyncio.sleep(0)
        return await asyncio.gather(*sent, return_exceptions=True)

    return run(arrive), len(commits)


def names() -> list[str]:
    with reading() as session:
        return sorted(session.exec(select(Member.name)))


@on_sqlite  # PostgreSQL shares commits by itself
def test_what_arrives_together_shares_a_commit_and_who_is_refused_undoes_nothing_else(club: str) -> None:
    given, commits = answer_together((join_as, "anne"), (refuse, "bruno"), (join_as, "chloe"))
    assert (given[0], type(given[1]), given[2]) == ("anne", Forbidden, "chloe")
    assert (names(), commits) == (["anne", "chloe"], 1)


@on_sqlite
def test_who_is_refused_before_they_wrote_anything_makes_nobody_begin_again(club: str) -> None:
    begun: list[str] = []

    def join_counted(session: Session, name: str) -> str:
        begun.append(name)
        return join_as(session, name)

    def refuse_at_once(session: Session, name: str) -> str:
        begun.append(name)
        raise Forbidden

    given, commits = answer_together((join_counted, "anne"), (refuse_at_once, "bruno"), (join_counted, "chloe"))
    assert (given[0], type(given[1]), given[2]) == ("anne", Forbidden, "chloe")
    assert (names(), commits, begun) == (["anne", "chloe"], 1, ["anne", "bruno", "chloe"])


@on_sqlite
def test_what_the_database_refuses_undoes_nothing_else(club: str) -> None:
    given, commits = answer_together((join_as, "anne"), (join_as, "anne"), (join_as, "chloe"))
    assert (given[0], type(given[1]), given[2]) == ("anne", IntegrityError, "chloe")
    assert (names(), commits) == (["anne", "chloe"], 1)


@on_sqlite
def test_when_the_shared_commit_fails_nobody_is_told_otherwise(club: str) -> None:
    given, _ = answer_together((join_as, "anne"), (break_the_commit, "bruno"), (join_as, "chloe"))
    assert [type(one) for one in given] == [IntegrityError] * 3
    assert names() == []


@on_sqlite
def test_whatever_an_act_raises_nobody_waits_for_ever(club: str) -> None:
    given, _ = answer_together((join_as, "anne"), (end_the_thread, "bruno"), (end_an_iterator, "chloe"))
    assert (given[0], [type(one) for one in given[1:]]) == ("anne", [RuntimeError] * 2)
    assert names() == ["anne"]
