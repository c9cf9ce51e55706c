"""One backup a day into a folder, by one process, the last ones kept; and a line that says how they are."""

import fcntl
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from clubapp.database import transaction
from clubapp.jobs import schedule
from clubapp.services import backups
from clubapp.settings import SettingsError, settings
from tests.conftest import forget_settings, on_sqlite
from tests.factories import add_member


@pytest.fixture
def folder(club: str, environment: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    environment.setenv("CLUB_BACKUP_DIR", str(tmp_path / "backups"))
    environment.setenv("CLUB_BACKUP_KEEP", "3")
    forget_settings()
    return tmp_path / "backups"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))


@on_sqlite
def test_nothing_is_made_until_a_folder_is_named(club: str, tmp_path: Path) -> None:
    schedule.back_up()
    assert list(tmp_path.rglob("*.zip")) == []
    assert backups.find_latest(settings()) is None
    assert backups.describe_state(settings()) == "non programmées (CLUB_BACKUP_DIR)"


@on_sqlite
def test_a_day_has_one_backup_from_three_in_the_morning_on(folder: Path, at: Callable[[str], datetime]) -> None:
    made = []
    for moment in ("2026-11-20T22:00", "2026-11-21T01:59", "2026-11-21T02:00", "2026-11-21T14:00", "2026-11-22T02:00"):
        at(moment)
        schedule.back_up()
        made.append(names(folder)[-1])
    days = [f"club-2026-11-{day}.zip" for day in (20, 20, 21, 21, 22)]
    assert made == days


def test_the_last_ones_are_kept_and_other_files_left_alone(folder: Path, at: Callable[[str], datetime]) -> None:
    folder.mkdir()
    own = "avant-retour-0003-20261122-235900.zip"  # made before a way back
    others = [own, "club-2020-01-01.zip.txt", "club-before-upgrade.zip", "notes.txt"]
    for name in [*others, ".club-2026-11-19.zip.a1b2"]:
        (folder / name).write_text("x")
    for day in range(20, 25):
        at(f"2026-11-{day}T08:00")
        schedule.back_up()
    assert names(folder) == sorted([f"club-2026-11-{day}.zip" for day in (22, 23, 24)] + others)
    assert not list(folder.glob(".club-*"))


@on_sqlite
def test_of_several_processes_one_makes_it(folder: Path) -> None:
    folder.mkdir()
    with (folder / ".lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        schedule.back_up()
        assert names(folder) == []
    schedule.back_up()
    assert len(names(folder)) == 1


@on_sqlite
def test_the_latest_says_when_and_how_large_it_is(folder: Path, at: Callable[[str], datetime]) -> None:
    at("2026-11-21T02:00")
    with transaction() as session:
        add_member(session)
    schedule.back_up()
    found = backups.find_latest(settings())
    assert found is not None
    assert (found.at, found.file.name) == (datetime(2026, 11, 21, 2, tzinfo=UTC), "club-2026-11-21.zip")
    assert (found.bytes, found.is_whole) == (found.file.stat().st_size, True)
    assert backups.describe_state(settings()) == "la dernière du 21/11/2026 à 03:00, 0,0 Mo"


@on_sqlite
def test_what_is_wrong_is_said_with_its_mend(folder: Path, at: Callable[[str], datetime]) -> None:
    at("2026-11-21T02:00")
    with pytest.raises(backups.BackupProblem, match=r"aucune dans .*backups\u00a0: vérifiez"):
        backups.describe_state(settings())
    schedule.back_up()
    at("2026-11-22T04:01")
    with pytest.raises(backups.BackupProblem, match="la dernière date du 21/11/2026 à 03:00\u00a0: vérifiez"):
        backups.describe_state(settings())
    schedule.back_up()
    assert backups.describe_state(settings()).startswith("la dernière du 22/11/2026")
    (file,) = folder.glob("*22.zip")
    file.write_bytes(file.read_bytes()[:-50])
    with pytest.raises(backups.BackupProblem, match=r"club-2026-11-22\.zip est endommagée : supprimez-la"):
        backups.describe_state(settings())
    found = backups.find_latest(settings())
    assert found is not None
    assert not found.is_whole


@on_sqlite
def test_a_backup_of_a_date_to_come_does_not_pass_for_the_last(folder: Path, at: Callable[[str], datetime]) -> None:
    at("2099-01-01T04:00")
    schedule.back_up()
    at("2026-11-21T04:00")
    with pytest.raises(
        backups.BackupProblem, match=r"01/01/2099 à 05:00, qui est à venir : .* supprimez .*2099-01-01\.zip"
    ):
        backups.describe_state(settings())


@on_sqlite
def test_the_folder_and_the_number_are_settings(club: str, environment: pytest.MonkeyPatch) -> None:
    environment.setenv("CLUB_BACKUP_DIR", "")
    forget_settings()
    assert settings().backup_dir is None
    environment.setenv("CLUB_BACKUP_KEEP", "0")
    forget_settings()
    with pytest.raises(SettingsError, match="CLUB_BACKUP_KEEP: attendu\u00a0: au moins 1"):
        settings()
