"""Decisions are made on types and codes, never on words that people read; and no layer reads a file of one above it."""

import ast
import re
from collections.abc import Iterator

from tests.architecture.sources import dotted, nodes, nodes_in, trees

Tree = tuple[str, ast.Module]


def _module(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _is_sentence(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and bool(re.search(r"\w \w", node.value))


def _constants(tree: Tree) -> Iterator[tuple[str, bool]]:
    """The constants of a module by their whole name, and whether each is a sentence."""
    for node in tree[1].body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield f"{_module(tree[0])}.{node.targets[0].id}", _is_sentence(node.value)


def _origins(tree: Tree) -> dict[str, str]:
    """Where each name of a module comes from."""
    own = {name.rpartition(".")[2]: name for name, _ in _constants(tree)}
    imports = nodes_in(tree[0], ast.ImportFrom)
    return own | {known.asname or known.name: f"{node.module}.{known.name}" for node in imports for known in node.names}


def _compared(tree: Tree) -> Iterator[ast.expr]:
    """What is compared. The words of an error of another program are all that tells one from the other."""
    for node in nodes_in(tree[0], ast.Compare):
        sides = [node.left, *node.comparators]
        if not any(isinstance(side, ast.Call) and dotted(side.func) == "str" for side in sides):
            yield from sides


def test_nothing_is_decided_by_comparing_a_sentence() -> None:
    everything = list(trees("clubapp"))
    sentences = {name for tree in everything for name, is_sentence in _constants(tree) if is_sentence}
    assert "clubapp.services.events.editing.MONTH_TAKEN" in sentences
    found = []
    for tree in everything:
        origins = _origins(tree)
        for side in _compared(tree):
            first, _, rest = dotted(side).partition(".")
            whole = ".".join(filter(None, (origins.get(first, first), rest)))
            if _is_sentence(side) or whole in sentences:
                found.append(f"{tree[0]}:{side.lineno} {ast.unparse(side)}")
    assert not found


def test_services_read_no_file_of_the_web_layer() -> None:
    assert not [
        f"{path}:{node.lineno}"
        for path, node in nodes(ast.Constant, below=("clubapp/services", "clubapp/mail", "clubapp/models"))
        if isinstance(node.value, str) and re.search(r"(^|/)web(/|$)", node.value)
    ]
