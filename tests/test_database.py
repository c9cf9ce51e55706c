"""The embedded database when its file goes away under a running server (R7)."""

import os
from pathlib import Path

import pytest
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, select

from clubapp.database import reading, transaction
from clubapp.models import Admin
from tests.factories import add_admin


@pytest.fixture
def file(migrated_sqlite: Path, environment: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    path = tmp_path / "data" / "club.sqlite3"
    path.parent.mkdir(parents=True)
    path.write_bytes(migrated_sqlite.read_bytes())
    with transaction() as session:
        add_admin(session)
    return path


def addresses(session: Session) -> list[str]:
    return list(session.exec(select(Admin.email)))


def move(folder: Path, to: Path) -> None:
    to.mkdir(exist_ok=True)
    for each in folder.glob("club.sqlite3*"):
        os.replace(each, to / each.name)


def test_nothing_is_saved_into_a_file_that_is_gone(file: Path, tmp_path: Path) -> None:
    move(file.parent, tmp_path / "away")
    with pytest.raises(SQLAlchemyError), transaction() as session:
        add_admin(session, "perdue@club.example")
    with pytest.raises(SQLAlchemyError), reading() as session:
        addresses(session)
    assert not file.exists()


def test_work_goes_on_when_the_file_is_back(file: Path, tmp_path: Path) -> None:
    move(file.parent, tmp_path / "away")
    with pytest.raises(SQLAlchemyError), reading() as session:
        addresses(session)
    move(tmp_path / "away", file.parent)
    with reading() as session:
        assert addresses(session) == ["helene@beffroi.example"]


def test_another_file_put_in_its_place_is_the_one_that_is_used(
    file: Path, migrated_sqlite: Path, tmp_path: Path
) -> None:
    move(file.parent, tmp_path / "away")
    file.write_bytes(migrated_sqlite.read_bytes())
    with reading() as session:
        assert addresses(session) == []
