"""The import path of a script that stands beside its Python component.

`rx.asset` does the same, but searches the call stack for the calling file: for thirty scripts, half the start-up time.
"""

import secrets
from pathlib import Path

from reflex_base.environment import environment

from clubapp.settings import ROOT


def script(module: str, name: str) -> str:
    """The import path of a script or style sheet beside `module`; while compiling, `assets/external` links to it."""
    parts = module.split(".")
    place = Path("external", *parts, name)
    if not environment.REFLEX_SKIP_COMPILE.get():
        _link(ROOT / "assets" / place, ROOT.joinpath(*parts).with_name(name))
    return f"$/public/{place.as_posix()}"


def _link(link: Path, file: Path) -> None:
    """Create or replace the symbolic link atomically, because several builds may run at once."""
    if not file.exists():
        raise FileNotFoundError(file)
    if link.is_symlink() and link.resolve() == file.resolve():
        return
    for folder in reversed([place for place in link.parents if not place.exists()]):
        folder.mkdir(exist_ok=True)
        folder.chmod(0o755)  # whatever the umask: root makes it, another user serves
    draft = link.with_name(f".{secrets.token_hex(8)}")
    draft.symlink_to(file)
    draft.replace(link)
