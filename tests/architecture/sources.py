"""The program's own sources, parsed."""

import ast
from collections.abc import Iterator
from pathlib import Path

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
        yield str(path.relative_to(ROOT)), ast.parse(path.read_text())


def dotted(node: ast.AST) -> str:
    """'rx.el.div' for an attribute of attributes, an empty text for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (left := dotted(node.value)):
        return f"{left}.{node.attr}"
    return ""
