"""`deploy/copy-backups.sh` takes backups to another place, keeps what that place has, and says so only when it did."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import missing

ROOT = Path(__file__).parents[3]
ARCHIVE = "club-2026-11-21.zip"


@pytest.fixture
def backups(tmp_path: Path) -> Path:
    """The folder of a club's backups, with other files in it."""
    if shutil.which("rsync") is None:
        missing("rsync", "apt-get install rsync")
    folder = tmp_path / "backups"
    folder.mkdir()
    for name in (ARCHIVE, "avant-retour-2026-11-20.zip", "erased-people.txt", "secret.key", "notes.txt"):
        (folder / name).write_text(f"{name} of today")
    return folder


def copy(folder: Path, to: Path) -> int:
    words = ["sh", str(ROOT / "deploy" / "copy-backups.sh"), str(folder), str(to)]
    return subprocess.run(words, capture_output=True, check=False).returncode


def test_backups_and_who_was_erased_are_copied_and_nothing_else(backups: Path, tmp_path: Path) -> None:
    there = tmp_path / "there"
    assert copy(backups, there) == 0
    assert {file.name for file in there.iterdir()} == {
        ARCHIVE,
        "avant-retour-2026-11-20.zip",
        "erased-people.txt",
    }
    assert (backups / ".copied").exists()


def test_what_was_deleted_or_spoilt_here_stays_whole_there_and_the_list_of_erased_people_grows(
    backups: Path, tmp_path: Path
) -> None:
    there = tmp_path / "there"
    assert copy(backups, there) == 0
    (backups / "avant-retour-2026-11-20.zip").unlink()
    (backups / ARCHIVE).write_text("spoilt")
    (backups / "erased-people.txt").write_text("one more person than before")
    assert copy(backups, there) == 0
    assert (there / ARCHIVE).read_text() == f"{ARCHIVE} of today"
    assert (there / "avant-retour-2026-11-20.zip").exists()
    assert (there / "erased-people.txt").read_text() == "one more person than before"


def test_a_place_that_cannot_be_written_fails_and_is_not_noted_as_copied(backups: Path, tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.write_text("a file where a folder should be")
    assert copy(backups, there) != 0
    assert not (backups / ".copied").exists()
