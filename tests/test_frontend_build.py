"""What the bundle is made of, as a start looks for changes."""

from pathlib import Path

import pytest

from clubapp import frontend_build


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small program in the place of ours."""
    for name in ("clubapp/page.py", "assets/base.css", "rxconfig.py", "requirements.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    monkeypatch.setattr(frontend_build, "ROOT", tmp_path)
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
