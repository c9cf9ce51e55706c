"""What the documents name exists: each path, and the code they quote from a file."""

import re
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.sources import ROOT, python_files

# Figures of a day, with the commands of that day.
DATED = ROOT / "docs" / "evidence.md"
DOCUMENTS = [ROOT / "README.md", *(path for path in sorted((ROOT / "docs").rglob("*.md")) if path != DATED)]
PATH = re.compile(r"`((?:\.ci|alembic|assets|bench|clubapp|deploy|docs|tests)/[^`\s…*]*)`")
# A path relative to the document that names it.
LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)")
# A row of a table that begins with a file: what is quoted in its second cell stands in that file.
QUOTING_ROW = re.compile(r"^\| `([\w./]+\.\w+)` \| (.+?) \|", re.MULTILINE)
# OWASP ASVS 5.0.0: the sections of each chapter, with how many requirements they have, and how many of level 1 or 2.
ASVS = {
    1: ((2, 2), (10, 9), (12, 11), (3, 3), (3, 2)),
    2: ((3, 3), (3, 3), (5, 4), (2, 1)),
    3: ((1, 0), (3, 2), (5, 4), (8, 6), (8, 5), (1, 0), (5, 2)),
    4: ((5, 3), (5, 1), (2, 2), (4, 4)),
    5: ((1, 1), (6, 3), (3, 2), (3, 3)),
    6: ((3, 3), (12, 12), (8, 4), (6, 4), (8, 5), (4, 3), (2, 0), (4, 4)),
    7: ((3, 3), (4, 4), (2, 2), (5, 5), (3, 2), (2, 2)),
    8: ((4, 2), (4, 3), (3, 1), (2, 1)),
    9: ((3, 3), (4, 4)),
    10: ((2, 2), (3, 2), (5, 4), (16, 11), (5, 5), (2, 2), (3, 3)),
    11: ((4, 2), (5, 3), (5, 3), (4, 4), (2, 1), (2, 1), (2, 0)),
    12: ((5, 3), (2, 2), (5, 4)),
    13: ((4, 1), (6, 5), (4, 2), (7, 5)),
    14: ((2, 2), (8, 4), (3, 3)),
    15: ((5, 3), (5, 3), (7, 7), (4, 0)),
    16: ((1, 1), (5, 5), (4, 4), (3, 3), (4, 3)),
    17: ((2, 1), (8, 4), (2, 2)),
}


def quotations() -> Iterator[tuple[str, str, str]]:
    """Each document with the file that it quotes and the quoted code."""
    for document in DOCUMENTS:
        for path, cell in QUOTING_ROW.findall(document.read_text()):
            for code in re.findall(r"`([^`]+)`", cell):
                yield document.name, path, code


def stands_in(text: str, code: str) -> bool:
    """Whether the text has the code; a single name is looked for as a whole word."""
    return bool(re.search(rf"\b{code}\b", text)) if code.isidentifier() else code in text


def test_every_path_that_a_document_names_exists() -> None:
    assert not [
        f"{document.name}: {path}"
        for document in DOCUMENTS
        for path in PATH.findall(document.read_text())
        if not (ROOT / path).exists()
    ]


def test_every_link_of_a_document_leads_to_a_file() -> None:
    assert not [
        f"{document.name}: {link}"
        for document in DOCUMENTS
        for link in LINK.findall(document.read_text())
        if not (document.parent / link).exists()
    ]


def test_quoted_code_stands_in_the_file_it_is_quoted_from() -> None:
    quoted = list(quotations())
    assert {"architecture.md", "contributing.md"} <= {document for document, _, _ in quoted}
    assert not [
        f"{document}: {path}: {code}"
        for document, path, code in quoted
        if not stands_in((ROOT / path).read_text(), code)
    ]


def test_a_document_names_no_module_by_half_a_path() -> None:
    """`web/service_calls.py` would not be found by the first test."""
    half = re.compile(r"`(?:commands|doctor|infra|jobs|mail|models|pages|services|serving|ui|web)/[^`]*`")
    assert not [f"{document.name}: {found}" for document in DOCUMENTS for found in half.findall(document.read_text())]


def test_the_table_of_nouns_has_every_noun_and_places_that_exist() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text().partition("## Nouns")[2].partition("##")[0]
    header, _, *rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|")]
    folders = [ROOT / cell.strip(" `") for cell in header[1:]]
    services = {path.parent.name for path in (ROOT / "clubapp" / "services").glob("*/__init__.py")}
    assert {row[0].strip() for row in rows} == services
    places = {
        folder / name for row in rows for folder, cell in zip(folders, row[1:], strict=True) for name in _quoted(cell)
    }
    assert places
    assert not [
        str(place.relative_to(ROOT)) for place in places if not (place.is_dir() or place.with_suffix(".py").is_file())
    ]


def _quoted(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def test_each_word_of_the_glossary_is_in_the_code() -> None:
    rows = re.findall(r"^\| [^|]+ \| `([^`]+)` \|", (ROOT / "docs" / "glossary.md").read_text(), re.MULTILINE)
    files = python_files("clubapp")
    words = {word for path in files for word in (path.stem, *re.findall(r"\w+", path.read_text()))}
    assert rows
    assert not [word for word in rows if word not in words]


def test_the_tests_that_security_names_exist_and_test_something() -> None:
    """A row without a test says in words that there is nothing to test."""
    table = (ROOT / "docs" / "security.md").read_text().partition("## Requirements")[2].partition("##")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines() if line[:2] == "| "]
    named = {path for _, _, cell in rows[2:] for path in _quoted(cell)}
    assert len(named) > 40
    assert not [f"{requirement}: {cell}" for requirement, _, cell in rows[2:] if re.sub(r"`[^`]*`|[, ]", "", cell)]
    assert not [path for path in named if not _tests_of(ROOT / path)]


def test_every_section_of_the_standard_is_in_the_tables_of_security() -> None:
    """Fails when a section with requirements of level 1 or 2 is missing, or a number is none of the standard."""
    sections = {f"{chapter}.{at}": sizes for chapter, all_ in ASVS.items() for at, sizes in enumerate(all_, 1)}
    assert sum(needed for _, needed in sections.values()) == 253
    named = _numbers_in_security()
    whole = {number for number in named if number.count(".") == 1}
    assert not [section for section, (_, needed) in sections.items() if needed and section not in whole]
    assert not whole - set(sections)
    single = [(section, int(at)) for section, _, at in (number.rpartition(".") for number in named - whole)]
    assert not [(section, at) for section, at in single if at > sections.get(section, (0, 0))[0]]


def _numbers_in_security() -> set[str]:
    """The sections and requirements that both tables name; '7.1 to 7.5' and whole chapters are taken apart."""
    text = (ROOT / "docs" / "security.md").read_text()
    tables = [_part(text, head) for head in ("Requirements", "What is not met")]
    named: set[str] = set()
    for first in re.findall(r"^\| ([^|]+) \|", "".join(tables), re.MULTILINE):
        for number, last in re.findall(r"(\d+(?:\.\d+)+)(?: to \d+\.(\d+))?", first):
            chapter, at = number.split(".")[:2]
            named |= {f"{chapter}.{each}" for each in range(int(at), int(last) + 1)} if last else {number}
        whole = re.findall(r"\bV(\d+)\b(?!\*\* \d)", first)
        named |= {f"{chapter}.{at}" for chapter in whole for at in range(1, len(ASVS[int(chapter)]) + 1)}
    return named


def _part(text: str, head: str) -> str:
    return text.partition(f"\n## {head}\n")[2].partition("\n## ")[0]


def _tests_of(path: Path) -> list[str]:
    """The names of the tests in a file, or in the files of a folder."""
    files = path.rglob("test_*.py") if path.is_dir() else [path] if path.is_file() else []
    return [name for file in files for name in re.findall(r"^def (test_\w+)", file.read_text(), re.MULTILINE)]
