"""What is built and checked is what was meant: images of an exact version, and audits that say when there was none."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
EXACT = re.compile(r"[\w./-]+:v?\d+\.\d+(\.\d+)?(-[\w.]+)?@sha256:[0-9a-f]{64}")
ANSWER = '#!/bin/sh\necho \'{"metadata":{"vulnerabilities":{"total":%d}}}\'\n'


def images() -> list[str]:
    dockerfile = (ROOT / "Dockerfile").read_text()
    given = dict(re.findall(r"^ARG (\w+)=(\S+)", dockerfile, re.MULTILINE))
    named = [
        re.sub(r"\$\{(\w+)\}", lambda name: given[name[1]], base)
        for base in re.findall(r"^FROM (\S+)", dockerfile, re.MULTILINE)
    ]
    services = re.findall(r"^    image: (\S+)", (ROOT / "compose.yaml").read_text(), re.MULTILINE)
    return [*named, *(name for name in services if name != "clubapp")]


def test_each_image_of_a_container_has_an_exact_version_and_a_digest() -> None:
    """Fails when what runs tomorrow is whatever somebody calls by that name then."""
    assert len(images()) >= 7
    assert [name for name in images() if not EXACT.fullmatch(name)] == []


def test_the_image_is_tried_on_the_base_that_it_names() -> None:
    base, _, _ = images()[0].partition("@")
    assert f"docker.io/library/{base}" in (ROOT / ".ci" / "image").read_text()


@pytest.mark.parametrize(
    ("npm", "code", "said"),
    [
        ("#!/bin/sh\nexit 1\n", 0, "AUCUN AUDIT de npm"),
        (ANSWER % 0, 0, "npm audit : aucune faille connue."),
        (ANSWER % 2, 1, ""),
    ],
    ids=["no answer", "clean", "found"],
)
def test_an_audit_fails_for_what_it_finds_and_says_when_none_was_made(
    tmp_path: Path, npm: str, code: int, said: str
) -> None:
    program = tmp_path / "npm"
    program.write_text(npm)
    program.chmod(0o755)
    done = subprocess.run([ROOT / ".ci" / "audit", "false", program], capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout
    assert "AUCUN AUDIT de pip-audit" in done.stdout
    assert said in done.stdout
