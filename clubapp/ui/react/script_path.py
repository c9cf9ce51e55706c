"""Where the bundler finds a script that stands beside its component.

Reflex's own way to say so looks through the whole stack for the file that asks: for thirty scripts, half of the start.
"""

import secrets
from pathlib import Path

from reflex_base.environment import environment

from clubapp.settings import ROOT


def script(module: str, name: str) -> str:
    """The address of a script or style sheet beside `module`; a build gets a link to the file itself."""
    parts = module.split(".")
    place = Path("external", *parts, name)
    if not environment.REFLEX_SKIP_COMPILE.get():
        _link(ROOT / "assets" / place, ROOT.joinpath(*parts).with_name(name))
    return f"$/public/{place.as_posix()}"


def _link(link: Path, file: Path) -> None:
    """Point to the file, in one step: builds beside each other do the same."""
    if not file.exists():
        raise FileNotFoundError(file)
    if link.is_symlink() and link.resolve() == file.resolve():
        return
    link.parent.mkdir(parents=True, exist_ok=True)
    draft = link.with_name(f".{secrets.token_hex(8)}")
    draft.symlink_to(file)
    draft.replace(link)
