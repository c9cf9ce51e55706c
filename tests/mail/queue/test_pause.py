"""The rest of the whole queue: one, however many write it at the same instant."""

import threading
from collections.abc import Callable

import pytest
from sqlmodel import Session, select

from clubapp.database import reading, transaction
from clubapp.mail.queue import pause
from clubapp.models import MailPause


def hold(session: Session) -> object:
    return pause.begin_pause(session, "helene@beffroi.example", "Suspendu par Hélène.")


def after_errors(session: Session) -> object:
    return pause.rest_after_errors(session)


@pytest.mark.parametrize("acts", [(hold, hold), (after_errors, after_errors), (hold, after_errors)])
def test_two_pauses_at_once_are_one_and_what_a_person_holds_stays_held(
    club: str, acts: tuple[Callable[[Session], object], ...]
) -> None:
    both, done = threading.Barrier(2), []

    def act(write: Callable[[Session], object]) -> None:
        with transaction() as session:
            assert pause.current_pause(session) is None or club == "sqlite"
            if club == "postgres":  # SQLite lets one writer in at a time
                both.wait()
            write(session)
        done.append(write)

    people = [threading.Thread(target=act, args=(write,)) for write in acts]
    for person in people:
        person.start()
    for person in people:
        person.join()
    assert len(done) == 2
    with reading() as session:
        [row] = session.exec(select(MailPause)).all()
        assert pause.is_held(session) is (hold in acts)
        assert (row.by == pause.SYSTEM) is (hold not in acts)
