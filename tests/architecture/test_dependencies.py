"""Dependencies are pinned, by hash, and from nowhere in particular (W12)."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.architecture.sources import ROOT

PINNED = r"^[a-z0-9._-]+(?:\[[a-z0-9,]+\])?==\S+(?: ; [^\\]+)? \\\n(?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+"
# Where npm says who maintains a package; nothing is downloaded from there.
FUNDING = {"funding", "url"}


def addresses(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Every web address of a JSON value, with the key it stands under."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from addresses(item, name)
    elif isinstance(value, list):
        for item in value:
            yield from addresses(item, key)
    elif isinstance(value, str) and re.search(r"https?://", value):
        yield key, value


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_every_requirement_is_pinned_with_its_hashes(name: str) -> None:
    text = (ROOT / name).read_text()
    assert not re.search(r"https?://|--(extra-)?index-url|--find-links|--trusted-host", text)
    assert len(re.findall(PINNED, text, re.M)) == len(re.findall(r"^[a-z0-9]", text, re.M)) > 0


def test_reflex_is_pinned_exactly() -> None:
    assert "\nreflex==0.10.1 \\" in (ROOT / "requirements.txt").read_text()
    assert "\nreflex==0.10.1\n" in (ROOT / "requirements.in").read_text()


@pytest.mark.parametrize("name", ["package.json", "package-lock.json"])
def test_the_npm_lock_names_no_registry(name: str) -> None:
    found = json.loads((ROOT / "reflex.lock" / name).read_text())
    assert not [entry for entry in addresses(found) if entry[0] not in FUNDING]


def test_every_npm_package_is_locked_with_its_hash() -> None:
    found = json.loads((ROOT / "reflex.lock" / "package-lock.json").read_text())
    packages = {name: entry for name, entry in found["packages"].items() if name and not entry.get("link")}
    assert packages
    assert not [name for name, entry in packages.items() if not entry.get("integrity")]


@pytest.mark.parametrize("name", ["requirements", "requirements-dev"])
def test_everything_asked_for_is_pinned(name: str) -> None:
    asked = {
        re.split(r"[=<>;\[]", line)[0] for line in (ROOT / f"{name}.in").read_text().splitlines() if line[:1].isalpha()
    }
    pinned = set(re.findall(r"^([a-z0-9._-]+)(?:\[[a-z0-9,]+\])?==", (ROOT / f"{name}.txt").read_text(), re.M))
    assert asked - pinned == set()
