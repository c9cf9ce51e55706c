"""A command run in this process, and a small club to run it on."""

import gc
import io
import os
import shutil
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from sqlmodel import Session, col, select

from clubapp import __main__
from clubapp.database import make_engine
from clubapp.models import Act
from clubapp.services.base.actors import command_actor
from tests.conftest import forget_settings
from tests.servers import free_port

ROOT = Path(__file__).resolve().parent.parent.parent


@dataclass(frozen=True)
class Done:
    """How a command ended, and what it printed."""

    returncode: int | str | None
    stdout: str
    stderr: str


Club = Callable[..., Done]


def command(data_dir: Path, *words: str, **settings: str) -> Done:
    """Run `clubapp …` in this process, from the repository, with no settings but these and a data folder of its own."""
    printed, told = io.StringIO(), io.StringIO()
    chosen = {"CLUB_DATA_DIR": str(data_dir), "CLUB_PORT": str(free_port())} | settings
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(printed), redirect_stderr(told):
        patch.setattr(os, "environ", without_club_settings() | chosen)
        patch.setattr(sys, "argv", ["clubapp", *words])
        patch.chdir(ROOT)
        forget_settings()
        try:
            __main__.main()
            code = 0
        except SystemExit as ended:
            code = ended.code or 0
        finally:
            forget_settings()
            gc.enable()
    return Done(code, printed.getvalue(), told.getvalue())


def acts_of(folder: Path) -> list[str]:
    """The commands that the journal of the club below that folder holds, each with the account that ran it."""
    with Session(make_engine(f"sqlite:///{folder / 'data' / 'club.sqlite3'}")) as session:
        acts = session.exec(select(Act).where(Act.action == "command").order_by(col(Act.number))).all()
    assert {act.operator for act in acts} == {command_actor().operator}
    return [act.detail["name"] for act in acts]


def without_club_settings() -> dict[str, str]:
    """The environment of this machine without its club."""
    return {name: value for name, value in os.environ.items() if not name.startswith("CLUB_")}


@pytest.fixture
def club_command(tmp_path: Path) -> Club:
    """`club_command("admin", "list", CLUB_PORT="x")`, on an installation of this test."""
    return partial(command, tmp_path / "data")


@pytest.fixture(scope="module")
def small_club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data directory of a small demo club, to be copied."""
    made = tmp_path_factory.mktemp("small") / "data"
    done = command(made, "demo", "--members", "12", "--companies", "7", "--events", "3")
    assert done.returncode == 0, done.stderr
    return made


@pytest.fixture
def loaded(club_command: Club, small_club: Path, tmp_path: Path) -> Club:
    """The same, on a small demo club."""
    shutil.copytree(small_club, tmp_path / "data")
    return club_command
