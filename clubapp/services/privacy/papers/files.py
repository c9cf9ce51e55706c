"""The papers as files: in a folder, or in one archive."""

import os
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from sqlmodel import Session

from clubapp.refusals import Conflict
from clubapp.services.base.actors import Actor
from clubapp.services.base.table_files import Download
from clubapp.services.privacy.papers.parts import Paper
from clubapp.services.privacy.papers.texts import make_papers

ARCHIVE = "papiers.zip"
THERE_ALREADY = "{names}\u00a0: déjà là. «\u00a0--force\u00a0» les remplace, avec ce qui y aurait été complété."


def write_papers(session: Session, actor: Actor, folder: Path, *, force: bool = False) -> list[Path]:
    """Write each paper as PDF and DOCX into a folder, readable by its owner only; return what was written.

    Raises:
        Conflict: when files are there already, unless `force`. Nothing was written.
        OSError: when the folder cannot be written.
    """
    papers = make_papers(session, actor)
    names = [name for paper in papers for name in _names_of(paper)]
    if not force and (there := [name for name in names if (folder / name).exists()]):
        raise Conflict(THERE_ALREADY.format(names=", ".join(there)))
    files = {folder / name: content for name, content in _make_files(papers).items()}
    folder.mkdir(parents=True, exist_ok=True)
    for file, content in files.items():
        with os.fdopen(os.open(file, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "wb") as opened:
            opened.write(content)
    return list(files)


def make_archive(session: Session, actor: Actor) -> Download:
    """The same in one archive.

    Raises:
        Forbidden: for anyone but an administrator.
    """
    found = BytesIO()
    with ZipFile(found, "w", ZIP_DEFLATED) as archive:
        for name, content in _make_files(make_papers(session, actor)).items():
            archive.writestr(name, content)
    return Download(ARCHIVE, "application/zip", found.getvalue())


def _names_of(paper: Paper) -> tuple[str, str]:
    return f"{paper.name}.pdf", f"{paper.name}.docx"


def _make_files(papers: Iterable[Paper]) -> dict[str, bytes]:
    # These libraries take tens of megabytes, and papers are rarely asked for.
    from clubapp.services.privacy.papers import docx, pdf

    files = {}
    for paper in papers:
        drawn, written = _names_of(paper)
        files[drawn] = pdf.draw_paper(paper)
        files[written] = docx.write_document(paper)
    return files
