"""Every requirement that is cited is written down, and every one that is written down is cited."""

import ast
import io
import re
import tokenize
from pathlib import Path

from tests.architecture.sources import ROOT, our_files, read

REQUIREMENTS = ROOT / "docs" / "requirements.md"
DEFINED = re.findall(r"^- \*\*([A-Z]\d{1,2})\*\* ", REQUIREMENTS.read_text(), re.MULTILINE)
# X11 is what browsers on Linux say of themselves.
CODE = r"(?!X11)[A-Z]\d{1,2}"
# '(M9)', '(M9, M12)', '(M3; RFC 8058)', after a space: '@SUM(A1)' is none.
CITATION = re.compile(rf"(?<!\S)\(({CODE}(?:, {CODE})*)(?:; [^()]*)?\)")
LOOKS_LIKE_ONE = re.compile(rf"(?<![\w.%-]){CODE}(?!\w|\.\d)")
# A kind of storage, and a size of paper.
OTHER_THINGS = {"S3", "A4"}
ELSEWHERE = re.compile(
    r"\b(?:specification|contract),? (?:sections? )?\d|\((?:specification|contract)\b", re.IGNORECASE
)
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def texts() -> list[tuple[str, str]]:
    """Each file that may cite, by its path from the root, with its text."""
    files = our_files("py", "md", "css", "js", "jsx", "html")
    return [(str(path.relative_to(ROOT)), read(path)) for path in files if path != REQUIREMENTS]


def cited() -> dict[str, str]:
    """Each code that is cited, with a file that does."""
    return {code: path for path, text in texts() for found in CITATION.findall(text) for code in found.split(", ")}


def may_be_loose(path: Path) -> bool:
    """Whether a line of a file, prose or not, has a code outside a citation: most have none, and need no parsing."""
    lines = (line for line in read(path).splitlines() if LOOKS_LIKE_ONE.search(line))
    return any(LOOKS_LIKE_ONE.search(CITATION.sub("", line)) for line in lines)


def prose(path: Path) -> str:
    """The comments and docstrings of a Python file."""
    source = read(path)
    comments = [
        token.string
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT
    ]
    docstrings = [ast.get_docstring(node) or "" for node in ast.walk(ast.parse(source)) if isinstance(node, DOCUMENTED)]
    return "\n".join(comments + docstrings)


def test_no_code_has_two_meanings() -> None:
    assert len(DEFINED) == len(set(DEFINED)) > 0


def test_every_code_that_is_cited_is_defined() -> None:
    assert not {code: path for code, path in cited().items() if code not in DEFINED}


def test_every_code_that_is_defined_is_cited() -> None:
    assert not set(DEFINED) - set(cited())


def test_codes_are_cited_in_one_form() -> None:
    loose = {
        (str(path.relative_to(ROOT)), code)
        for path in our_files("py")
        if path != Path(__file__) and may_be_loose(path)
        for code in LOOKS_LIKE_ONE.findall(CITATION.sub("", prose(path)))
        if code not in OTHER_THINGS
    }
    assert not loose


def test_nothing_cites_a_document_that_is_not_here() -> None:
    assert not [path for path, text in texts() if ELSEWHERE.search(text)]
