"""Builds the front end, once for every origin, and only when its sources have changed."""

import gzip
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import brotli

from clubapp.settings import ROOT

WEB = ROOT / ".web"
LOCK = ROOT / "reflex.lock"
CLIENT = WEB / "build" / "client"
_STAMP = WEB / "clubapp.built"
# The sources of the bundle: the files below these folders that have one of the suffixes, and these files.
_FOLDERS = {"clubapp": (".py", ".jsx", ".css"), "assets": ("",), "reflex.lock": (".json",)}
_FILES = ("rxconfig.py", "requirements.txt")
# The address that Reflex writes into the bundle is replaced by the page's own origin.
_BUILT_ORIGINS = ("`ws://localhost:3000/", '"ws://localhost:3000/')
_OWN_ORIGIN = "location.origin.replace(/^http/,`ws`)+`/"
_SIGN_IN_STYLES = ("fields", "sign_in")
_NOISE = re.compile(r"npm (silly|verbose|http|info|timing|notice) ")
_NOT_WRITABLE = (
    "L’interface n’est pas compilée pour ce programme, et {place} ne peut pas être écrit d’ici\u00a0: lancez "
    "«\u00a0make build\u00a0» dans {root}, avec le compte à qui le programme appartient."
)
_COMMENT, _INDENT = re.compile(r"/\*.*?\*/", re.DOTALL), re.compile(r"\n\s+")
# The style sheets of areas that are entered only by a full page load, in the order of the cascade; those of the answer
# page are all of its own.
_AREA_STYLES = {
    "admin": (
        *_SIGN_IN_STYLES,
        "workspace",
        "frame_admin",
        "admin",
        "records",
        "record_table",
        "reading",
        "today",
        "imports",
        "differences",
        "events",
        "meeting",
        "people_of_event",
        "seating",
        "waiting",
        "images",
        "emails",
        "mail_editor",
        "writing",
        "journal",
        "acts",
        "health",
    ),
    "member": (
        *_SIGN_IN_STYLES,
        "workspace",
        "admin",
        "images",
        "differences",
        "member",
        "invitations",
        "home",
        "directory",
        "colleagues",
    ),
    "event": ("reset", "base", "form", "kit", "above", "frames", "public", "fields", "answer"),
    "typefaces": ("typefaces",),
    "connexion": _SIGN_IN_STYLES,
    "auth": _SIGN_IN_STYLES,
}
_AREA_STYLES["kit"] = (*_AREA_STYLES["admin"], "kit_page")


class BuildFailed(Exception):
    """The front end could not be built. The message is the end of the build's output, or the fault of the bundle."""


def is_current() -> bool:
    """Whether the compiled front end was built from the sources as they are now."""
    return _STAMP.exists() and _STAMP.read_text() == _digest() and (CLIENT / "index.html").exists()


def build(*, force: bool = False) -> bool:
    """Compile the front end unless it is current.

    Returns:
        True when it was compiled.

    Raises:
        BuildFailed: when it could not be.
    """
    place = WEB if WEB.exists() else ROOT
    if is_writable := os.access(place, os.W_OK):
        _remove_dangling_links()
    if is_current() and not force:
        return False
    if not is_writable:
        raise BuildFailed(_NOT_WRITABLE.format(place=place, root=ROOT))
    digest = _digest()
    _STAMP.unlink(missing_ok=True)
    locked = {path: path.read_text() for path in LOCK.glob("*.json")}
    with tempfile.TemporaryDirectory() as scratch:
        done = subprocess.run(
            [sys.executable, "-m", "reflex", "export", "--frontend-only", "--no-zip", "--env", "prod"],
            cwd=ROOT,
            env=_environment(scratch),
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode or not (CLIENT / "index.html").exists():
        for path, text in locked.items():
            path.write_text(text)
        raise BuildFailed(_without_noise(done.stdout + done.stderr)[-3000:])
    _restore_equal_locks(locked)
    _use_own_origin()
    _join_area_styles()
    _STAMP.write_text(digest)
    return True


def _remove_dangling_links() -> None:
    """Remove links to scripts that are no more there: Reflex would at the start, when the user may not write here."""
    places = sorted((ROOT / "assets" / "external").rglob("*"), reverse=True)  # what is in a folder before the folder
    for place in places:
        if place.is_symlink():
            if not place.exists():
                place.unlink()
        elif place.is_dir() and not any(place.iterdir()):
            place.rmdir()


def area_style(area: str) -> str:
    """The address of an area's joined style sheet, '/assets/area-admin-1f2e3d4c.css', or an empty text."""
    sheet = next((CLIENT / "assets").glob(f"area-{area}-*.css"), None)
    return f"/assets/{sheet.name}" if sheet else ""


def _environment(scratch: str) -> dict[str, str]:
    """The environment of the build, without this installation's settings: none of them may reach the bundle."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("CLUB_", "REFLEX_", "__REFLEX_"))}
    return kept | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{kept.get('PATH', '')}",
        "REFLEX_USE_NPM": "1",
        "REFLEX_TELEMETRY_ENABLED": "false",
        "COLUMNS": "1000",  # lines of npm stay whole, so that they can be told
        "npm_config_omit_lockfile_registry_resolved": "true",
        "CLUB_DATA_DIR": scratch,
    }


def _without_noise(output: str) -> str:
    """The output of a failed build without what npm tells of its own doings, which is long and hides the reason."""
    return "\n".join(line for line in output.splitlines() if not _NOISE.match(line))


def _restore_equal_locks(locked: dict[Path, str]) -> None:
    """Undo the changes of npm to a lock that pins the same packages: a build must leave the repository unchanged."""
    for path, text in locked.items():
        if path.exists() and path.read_text() != text and _pinned_packages(path.read_text()) == _pinned_packages(text):
            path.write_text(text)


def _pinned_packages(text: str) -> Any:
    """The content of a lock for comparing, without the packages' `funding`."""
    lock = json.loads(text)
    for package in lock.get("packages", {}).values():
        package.pop("funding", None)
    return lock


def _use_own_origin() -> None:
    changed = 0
    for script in (CLIENT / "assets").glob("*.js"):
        text = script.read_text()
        patched = text
        for baked in _BUILT_ORIGINS:
            patched = patched.replace(baked + "_event" + baked[0], _OWN_ORIGIN + "_event`")
        if patched != text:
            changed += 1
            script.write_text(patched)
            for packed in (".br", ".gz"):
                script.with_name(script.name + packed).unlink(missing_ok=True)
    if not changed:
        raise BuildFailed("the address of the socket was not found in the bundle: Reflex changed how it is written")


def _join_area_styles() -> None:
    for area, names in _AREA_STYLES.items():
        joined = "".join((CLIENT / f"{name}.css").read_text() for name in names)
        text = _INDENT.sub("\n", _COMMENT.sub("", joined)).encode()
        path = CLIENT / "assets" / f"area-{area}-{hashlib.sha256(text).hexdigest()[:8]}.css"
        path.write_bytes(text)
        path.with_name(f"{path.name}.br").write_bytes(brotli.compress(text))
        path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(text, mtime=0))


def _digest() -> str:
    total = hashlib.sha256(sys.version.encode())
    for path in _sources():
        with open(ROOT / path, "rb") as source:
            total.update(path.encode() + source.read())
    return total.hexdigest()


def _sources() -> list[str]:
    """The paths of the sources, relative to ROOT and sorted, without the links that Reflex makes (`external`)."""
    sources = list(_FILES)
    for folder, endings in _FOLDERS.items():
        for directory, folders, files in os.walk(ROOT / folder):
            folders[:] = [name for name in folders if name not in ("external", "__pycache__")]
            paths = [f"{directory}/{name}" for name in files if name.endswith(endings)]
            sources += [os.path.relpath(path, ROOT) for path in paths if os.path.isfile(path)]
    return sorted(sources)
