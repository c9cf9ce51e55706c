"""What goes wrong reaches the administrators once when it begins and once when it ends (T2)."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from sqlmodel import col, select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.doctor import Check, Level, alerts, installation_checks, job_checks
from clubapp.infra import refusal_counts
from clubapp.jobs import schedule
from clubapp.mail.messages import mail_kinds
from clubapp.mail.queue import pause
from clubapp.mail.transport import mime
from clubapp.models import Act, OutboxMail
from clubapp.services import backups
from clubapp.services.backups import daily
from clubapp.services.monitoring import health_alerts
from clubapp.services.monitoring.health_alerts import Finding
from clubapp.settings import settings
from tests.conftest import forget_settings
from tests.factories import add_admin
from tests.smtp_server import Relay

DISK = Finding("dossier de données", "plus que 90 Mo libres", "libérez de la place")
BACKUP = Finding("sauvegardes", "la dernière date de mardi", "vérifiez que le site tourne")


@pytest.fixture
def club_of_two(club: str, later: Callable[[timedelta], None]) -> Iterator[Callable[[timedelta], None]]:
    with transaction() as session:
        add_admin(session, "helene@club.example")
        add_admin(session, "lea@club.example")
    alerts._wrong_before = None
    yield later
    alerts._wrong_before = None


def tell(*wrong: Finding, doubtful: tuple[str, ...] = ()) -> int:
    with transaction() as session:
        return health_alerts.tell_changes(session, wrong, doubtful)


def letters() -> list[str]:
    """The texts of the alerts to one administrator, oldest first."""
    with reading() as session:
        query = select(OutboxMail).where(OutboxMail.recipient == "lea@club.example").order_by(col(OutboxMail.key))
        return [mime.render_parts(mail_kinds.compose(session, mail))[1] for mail in session.exec(query)]


def test_what_begins_and_ends_is_told_once_each_to_every_administrator(
    club_of_two: Callable[[timedelta], None],
) -> None:
    assert [tell(), tell(DISK), tell(DISK)] == [0, 2, 0]
    club_of_two(timedelta(hours=2))
    assert [tell(DISK), tell(), tell()] == [0, 2, 0]
    begun, ended = letters()
    assert "Dossier de données\u00a0: Plus que 90 Mo libres" in begun.replace(" :", "\u00a0:")
    assert "Libérez de la place" in begun
    assert "Tout est rentré dans l’ordre" in ended
    assert "Dossier de données" in ended


def test_there_is_at_most_one_mail_an_hour_and_it_tells_all_that_happened(
    club_of_two: Callable[[timedelta], None],
) -> None:
    assert tell(DISK) == 2
    assert tell(BACKUP) == 0
    club_of_two(timedelta(minutes=59))
    assert tell(BACKUP) == 0
    club_of_two(timedelta(minutes=1))
    assert tell(BACKUP) == 2
    second = letters()[1]
    assert "Sauvegardes" in second
    assert "De nouveau bien" in second


def test_what_is_doubtful_neither_begins_nor_ends(club_of_two: Callable[[timedelta], None]) -> None:
    assert tell(doubtful=(DISK.name,)) == 0
    assert tell(DISK) == 2
    club_of_two(timedelta(hours=2))
    assert [tell(doubtful=(DISK.name,)), tell()] == [0, 2]


def test_an_alert_is_one_entry_of_the_journal_without_anybodys_address(
    club_of_two: Callable[[timedelta], None],
) -> None:
    tell(DISK)
    with reading() as session:
        (act,) = session.exec(select(Act)).all()
    assert (act.action, act.detail) == ("alert", {"open": [DISK.name], "begun": 1, "ended": 0})


def test_a_fault_is_told_when_it_is_seen_twice(
    club_of_two: Callable[[timedelta], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[list[Check]] = [[], [_ill()], [], [_ill()], [_ill()], [_ill()]]
    monkeypatch.setattr(alerts, "_run_checks", lambda: seen.pop(0))
    assert [alerts.look_and_tell() for _ in range(6)] == [0, 0, 0, 0, 2, 0]


def _ill() -> Check:
    return Check(DISK.name, Level.FAILED, DISK.text, DISK.mend)


def test_a_paused_queue_is_told_by_mail_while_it_is_paused(
    relay: Relay, club_of_two: Callable[[timedelta], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fails when the alert waits in the queue whose pause it tells of."""
    monkeypatch.setattr(installation_checks, "run_installation_checks", lambda _acts: iter(()))
    schedule.tell_health()
    with transaction() as session:
        pause.begin_pause(session, "helene@club.example", "En pause à la demande d’Hélène.")
    for _ in range(2):
        schedule.tell_health()
    received = [mail for mail in relay.accepted if mail["X-Club-Kind"] == "health_alert"]
    assert sorted(mail["To"] for mail in received) == ["helene@club.example", "lea@club.example"]


@contextmanager
def paused_queue(_patch: pytest.MonkeyPatch) -> Iterator[None]:
    with transaction() as session:
        pause.begin_pause(session, "helene@club.example", "En pause à la demande d’Hélène.")
    yield
    with transaction() as session:
        pause.end_pause(session)


@contextmanager
def old_backup(patch: pytest.MonkeyPatch) -> Iterator[None]:
    latest = backups.find_latest(settings())
    assert latest
    with patch.context() as broken:
        broken.setattr(daily, "find_latest", lambda _chosen: replace(latest, at=clock.now() - timedelta(days=2)))
        yield


@contextmanager
def full_disk(patch: pytest.MonkeyPatch) -> Iterator[None]:
    with patch.context() as broken:
        broken.setattr(installation_checks, "LITTLE_SPACE", 10**18)
        yield


@pytest.mark.parametrize(
    ("fault", "name"), [(paused_queue, "File d’envoi"), (old_backup, "Sauvegardes"), (full_disk, "Dossier de données")]
)
def test_a_fault_of_the_installation_begins_once_and_ends_once_and_at_most_one_mail_an_hour_leaves(
    club_of_two: Callable[[timedelta], None],
    environment: pytest.MonkeyPatch,
    tmp_path: Path,
    fault: Callable[[pytest.MonkeyPatch], AbstractContextManager[None]],
    name: str,
) -> None:
    environment.setenv("CLUB_BACKUP_DIR", str(tmp_path / "backups"))
    forget_settings()
    schedule.back_up()
    for _ in range(2):
        alerts.look_and_tell()  # whatever is wrong with the installation of a test
    club_of_two(timedelta(hours=2))
    before = len(letters())
    with fault(environment):
        assert [alerts.look_and_tell() for _ in range(4)] == [0, 2, 0, 0]
        club_of_two(timedelta(minutes=50))
        assert [alerts.look_and_tell() for _ in range(2)] == [0, 0], "it lasts"
    assert [alerts.look_and_tell() for _ in range(3)] == [0, 0, 0], "an hour has not passed"
    club_of_two(timedelta(minutes=11))
    assert [alerts.look_and_tell() for _ in range(3)] == [2, 0, 0]
    begun, ended = letters()[before:]
    assert name in begun.partition("De nouveau bien")[0]
    assert name in ended.partition("De nouveau bien")[2]


def test_many_refusals_and_a_slow_database_are_told(club: str, monkeypatch: pytest.MonkeyPatch) -> None:
    refusal_counts.take()
    for _ in range(health_alerts.MANY_REFUSALS):
        refusal_counts.count(refusal_counts.CODE)
    schedule.record_refusals()
    monkeypatch.setattr(installation_checks, "SLOW_MS", 0)
    alarming = {check.name for check in installation_checks.run_installation_checks() if check.is_alarming}
    assert {"refus", "base de données"} <= alarming


def test_a_rest_after_errors_that_ends_by_itself_is_not_told(club: str, at: Callable[[str], datetime]) -> None:
    at("2026-11-20T10:00")
    with transaction() as session:
        pause.rest_after_errors(session)
    with reading() as session:
        assert not [check.name for check in job_checks.check_mail(session) if check.is_alarming]
