"""The program's own sources, read and parsed once by a process; `conftest` forgets them after this folder's tests."""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

N = TypeVar("N", bound=ast.AST)
ROOT = Path(__file__).resolve().parent.parent.parent


def python_files(*folders: str) -> list[Path]:
    """Every Python file below the folders."""
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def our_files(*kinds: str) -> list[Path]:
    """Every file of these kinds, such as 'py' and 'md', that we write."""
    return [
        path
        for folder in ("clubapp", "tests", "docs", "assets", "alembic", "deploy")
        for kind in kinds
        for path in sorted((ROOT / folder).rglob(f"*.{kind}"))
        if not path.is_symlink()  # the build links sources into its own folder
    ]


def trees(*folders: str) -> Iterator[tuple[str, ast.Module]]:
    """Each file's path from the root, and its syntax tree."""
    for path in python_files(*folders):
        yield str(path.relative_to(ROOT)), parse(path)


def nodes(*kinds: type[N], below: Sequence[str] = ("clubapp",)) -> Iterator[tuple[str, N]]:
    """Each node of these kinds, with its file's path from the root."""
    for path in python_files(*below):
        name, found = str(path.relative_to(ROOT)), _nodes_by_kind(path)
        yield from ((name, node) for node in chain(*(found[kind] for kind in kinds if kind in found)))


def nodes_in(name: str, kind: type[N]) -> Sequence[N]:
    """The nodes of a kind in one file, by its path from the root."""
    return _nodes_by_kind(ROOT / name).get(kind, ())


@cache
def read(path: Path) -> str:
    """The text of a file."""
    return path.read_text()


@cache
def parse(path: Path) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse(read(path))


@cache
def _nodes_by_kind(path: Path) -> Mapping[type, Sequence[Any]]:
    found = defaultdict[type, list[ast.AST]](list)
    for node in ast.walk(parse(path)):
        found[type(node)].append(node)
    return dict(found)


def forget() -> None:
    """Give the memory back."""
    for kept in (read, parse, _nodes_by_kind):
        kept.cache_clear()


def dotted(node: ast.AST) -> str:
    """'rx.el.div' for an attribute of attributes, an empty text for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (left := dotted(node.value)):
        return f"{left}.{node.attr}"
    return ""
