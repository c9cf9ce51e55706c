"""How many files one person may send: the same number whichever process hears of them."""

import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

import pytest

from clubapp.database import transaction
from clubapp.refusals import Forbidden, NotFound, TooMany
from clubapp.services.base import upload_quota
from clubapp.services.base.actors import VISITOR, Actor
from clubapp.services.images import uploads
from clubapp.services.import_export import import_run

HELENE = Actor("helene@beffroi.example", is_admin=True, session_id="s")
PAUL = Actor("paul@beffroi.example", is_admin=True, session_id="t")
ELSEWHERE = """
from clubapp.database import transaction
from clubapp.services.base import upload_quota
from clubapp.services.base.actors import Actor
for _ in range(upload_quota.MOST):
    with transaction() as session:
        upload_quota.count_upload(session, Actor("helene@beffroi.example"), "avatars")
"""


def is_admitted(person: Actor = HELENE) -> bool:
    try:
        with transaction() as session:
            uploads.admit_upload(session, person, "logos")
    except TooMany:
        return False
    return True


def test_what_another_process_heard_of_counts_here(club: str) -> None:
    subprocess.run([sys.executable, "-c", ELSEWHERE], check=True, timeout=60)
    assert not is_admitted()
    assert is_admitted(PAUL)


def test_a_burst_does_not_slip_under_the_limit(club: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second is counted before the first is committed."""
    monkeypatch.setattr(upload_quota, "MOST", 1)
    with ThreadPoolExecutor(1) as pool:
        with transaction() as session:
            uploads.admit_upload(session, HELENE, "logos")
            second = pool.submit(is_admitted)
            time.sleep(0.3)
        assert not second.result()


def test_places_come_back_when_the_window_has_passed(
    club: str, monkeypatch: pytest.MonkeyPatch, at: Callable[[str], datetime]
) -> None:
    monkeypatch.setattr(upload_quota, "MOST", 2)
    at("2026-11-20T10:00")
    assert [is_admitted() for _ in range(3)] == [True, True, False]
    at("2026-11-20T10:09")
    assert not is_admitted()
    at("2026-11-20T10:11")
    assert is_admitted()


def test_tables_and_images_are_counted_together_and_only_for_those_who_may(
    club: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upload_quota, "MOST", 1)
    with pytest.raises(Forbidden), transaction() as session:
        import_run.admit_import(session, VISITOR, "members")
    with pytest.raises(NotFound), transaction() as session:
        import_run.admit_import(session, HELENE, "events")
    assert is_admitted()
    with pytest.raises(TooMany, match="réessayez dans dix minutes"), transaction() as session:
        import_run.admit_import(session, HELENE, "members")


def test_all_people_together_have_a_limit_too(club: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload_quota, "MOST_IN_ALL", 2)
    assert is_admitted()
    assert is_admitted(PAUL)
    assert not is_admitted()
