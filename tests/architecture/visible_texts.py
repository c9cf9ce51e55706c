"""Every text that the program can show: of its Python, its JSX, and the templates of its pages and mails.

`python -m tests.architecture.visible_texts` prints them all, to be read.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.architecture.sources import ROOT, parse

PROGRAM = ROOT / "clubapp"
HOLE = "\ufffc"  # stands for what a text is filled with
_COMMENT = re.compile(r"\{#.*?#\}|/\*.*?\*/|<style.*?</style>|<script.*?</script>|<!--.*?-->", re.DOTALL)
_EXPRESSION = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
_QUOTED = re.compile(r"\"((?:[^\"\\\n]|\\.)*)\"|`((?:[^`\\]|\\.)*)`")
_CODE = ("${", "}")  # what is left of a template literal within another
_LINE_COMMENT = re.compile(r"^\s*//.*$|(?<=[;{},])\s*// .*$", re.MULTILINE)
_BETWEEN_TAGS = re.compile(r">([^<>{}=;()]*[^<>{}=;()\s][^<>{}=;()]*)<")
_DECLARED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


class Visible(NamedTuple):
    """A text, with the file and the line where it stands."""

    place: str
    text: str


def list_texts() -> Iterator[Visible]:
    """The texts in the order of their files; `HOLE` stands where a value is filled in."""
    for path in sorted(PROGRAM.rglob("*")):
        read = {".py": _of_python, ".jsx": _of_script, ".js": _of_script, ".html": _of_template, ".txt": _of_template}
        if path.suffix in read and not path.is_symlink() and path.parent.name != "fonts":
            name = str(path.relative_to(ROOT))
            for line, text in read[path.suffix](path):
                if any(letter.isalpha() for letter in text) or text.strip() in {":", ";", "?", "!", "»", "«"}:
                    yield Visible(f"{name}:{line}", text)


def _of_python(path: Path) -> Iterator[tuple[int, str]]:
    """String literals without docstrings, but with those of the commands, which are their help."""
    tree = parse(path)
    hidden: set[ast.AST] = set()
    for node in ast.walk(tree):
        is_command = path.parent.name == "commands" and isinstance(node, ast.FunctionDef) and node.name[0] != "_"
        if isinstance(node, _DECLARED) and ast.get_docstring(node) is not None and not is_command:
            hidden.update(ast.walk(node.body[0]))
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            hidden.update(node.values)
            parts = (part.value if isinstance(part, ast.Constant) else HOLE for part in node.values)
            yield node.lineno, "".join(map(str, parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in hidden:
            yield node.lineno, node.value


def _of_script(path: Path) -> Iterator[tuple[int, str]]:
    source = _LINE_COMMENT.sub("", _blank(_COMMENT, path.read_text()))
    for found in _QUOTED.finditer(source):
        text = re.sub(r"\$\{[^}]*\}", HOLE, found[1] or found[2] or "")
        if not any(sign in text for sign in _CODE):
            yield _line(source, found.start()), re.sub(r"\\u([0-9a-f]{4})", lambda code: chr(int(code[1], 16)), text)
    for found in _BETWEEN_TAGS.finditer(source):
        if found[1].strip() != ":":
            yield _line(source, found.start()), found[1]


def _of_template(path: Path) -> Iterator[tuple[int, str]]:
    source = _blank(_COMMENT, path.read_text().replace("&nbsp;", "\u00a0"))
    for expression in _EXPRESSION.finditer(source):
        for found in re.finditer(r"\"([^\"]*)\"", expression[0]):
            yield _line(source, expression.start()), found[1]
    shown = _EXPRESSION.sub(lambda found: HOLE + "\n" * found[0].count("\n"), source)
    for number, line in enumerate(shown.splitlines(), start=1):
        yield number, re.sub(r"<[^>]*>", "", line) if path.suffix == ".html" else line


def _blank(what: re.Pattern[str], source: str) -> str:
    """The source without it, its lines kept."""
    return what.sub(lambda found: "\n" * found[0].count("\n"), source)


def _line(source: str, position: int) -> int:
    return source.count("\n", 0, position) + 1


if __name__ == "__main__":
    for each in list_texts():
        if " " in each.text or not each.text.isascii():
            print(f"{each.place}\t{each.text!r}")
