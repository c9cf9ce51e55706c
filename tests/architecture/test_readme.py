"""The README names everything an installation can choose, and everything it stands on."""

import re

import typer.main

from clubapp.commands import app
from clubapp.settings import Settings
from tests.architecture.sources import ROOT

README = (ROOT / "README.md").read_text()


def test_every_setting_is_explained() -> None:
    names = [str(field.validation_alias or f"CLUB_{name.upper()}") for name, field in Settings.model_fields.items()]
    assert not [name for name in names if f"`{name}`" not in README]


def test_every_direct_dependency_has_its_reason() -> None:
    lines = [
        *(ROOT / "requirements.in").read_text().splitlines(),
        *(ROOT / "requirements-dev.in").read_text().splitlines(),
    ]
    names = [re.split(r"[=<>;\[]", line)[0] for line in lines if line and line[0] not in "#-"]
    assert not [name for name in names if name not in README]


def test_every_command_is_listed() -> None:
    groups = typer.main.get_command(app).commands  # pyright: ignore[reportAttributeAccessIssue]
    names = [
        f"{name} {inner}" if inner else name
        for name, group in groups.items()
        for inner in (getattr(group, "commands", None) or [""])
    ]
    assert len(names) > 8
    assert not [name for name in names if f"`{name}" not in README]


def test_every_make_target_is_listed() -> None:
    targets = re.findall(r"^([a-z]+):.*##", (ROOT / "Makefile").read_text(), re.M)
    assert not [target for target in targets if f"`make {target}`" not in README]


def test_every_decision_is_listed_and_short() -> None:
    listed = (ROOT / "docs" / "architecture.md").read_text()
    for path in sorted((ROOT / "docs" / "decisions").glob("*.md")):
        assert f"decisions/{path.name}" in listed
        assert len(path.read_text().splitlines()) <= 30
