"""What the bundle is made of, as a start looks for changes, and what a build that fails leaves and tells."""

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from clubapp import frontend_build


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small program in the place of ours."""
    for name in ("clubapp/page.py", "assets/base.css", "rxconfig.py", "requirements.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    monkeypatch.setattr(frontend_build, "ROOT", tmp_path)
    monkeypatch.setattr(frontend_build, "WEB", tmp_path / ".web")
    monkeypatch.setattr(frontend_build, "_STAMP", tmp_path / ".web" / "clubapp.built")
    monkeypatch.setattr(frontend_build, "CLIENT", tmp_path / ".web" / "build" / "client")
    monkeypatch.setattr(frontend_build, "LOCK", tmp_path / "reflex.lock")
    return tmp_path


@pytest.mark.parametrize("name", ["clubapp/page.py", "clubapp/new/part.jsx", "assets/new.svg", "requirements.txt"])
def test_a_change_of_a_source_is_seen(program: Path, name: str) -> None:
    before = frontend_build._digest()
    assert frontend_build._digest() == before
    (program / name).parent.mkdir(exist_ok=True)
    (program / name).write_text("other")
    assert frontend_build._digest() != before


def test_what_the_bundle_is_not_made_of_changes_nothing(program: Path) -> None:
    before = frontend_build._digest()
    for name in ("clubapp/__pycache__/page.py", "assets/external/brought.css", "clubapp/notes.md", "README.md"):
        (program / name).parent.mkdir(exist_ok=True)
        (program / name).write_text("other")
    (program / "clubapp" / ".#page.py").symlink_to("an editor's lock, which leads nowhere")
    assert frontend_build._digest() == before


def test_links_to_scripts_that_are_gone_are_removed_also_when_nothing_is_compiled(
    program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The user who serves may not write there, and Reflex would remove them at the start."""
    monkeypatch.setattr(frontend_build, "is_current", lambda: True)
    kept, gone = (program / "assets" / "external" / name / "part.jsx" for name in ("kept", "gone"))
    for link, file in ((kept, program / "rxconfig.py"), (gone, program / "part.jsx")):
        link.parent.mkdir(parents=True)
        link.symlink_to(file)
    assert frontend_build.build() is False
    assert kept.exists()
    assert not gone.parent.exists()


def test_a_build_that_fails_leaves_the_lock_as_it_was_and_tells_why_without_noise(
    program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lock that it had changed would keep the next `git pull` from taking the new program."""
    lock = program / "reflex.lock" / "package.json"
    lock.parent.mkdir()
    lock.write_text('{"name":"reflex"}')

    def fail(*_: Any, **__: Any) -> subprocess.CompletedProcess[str]:
        lock.write_text('{"name": "half"}')
        noise = "npm silly unfinished npm timer reifyNode:node_modules/react 1\n" * 100
        return subprocess.CompletedProcess(
            [], 1, "Installing\n", f"npm error code ENOTFOUND\n{noise}npm verbose exit 1\n"
        )

    monkeypatch.setattr(subprocess, "run", fail)
    with pytest.raises(frontend_build.BuildFailed) as failed:
        frontend_build.build()
    assert str(failed.value) == "Installing\nnpm error code ENOTFOUND"
    assert lock.read_text() == '{"name":"reflex"}'


def test_a_service_that_may_not_write_its_program_says_who_builds_it(
    program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may write anywhere
    with pytest.raises(frontend_build.BuildFailed, match="make build"):
        frontend_build.build()
