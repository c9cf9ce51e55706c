"""The papers are filled from the settings, in French, and other programs read all of them."""

import re
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest
from pypdf import PdfReader

from clubapp.database import reading, transaction
from clubapp.refusals import Conflict, Forbidden
from clubapp.services.base.actors import SYSTEM, VISITOR, Actor
from clubapp.services.privacy.papers import make_archive, make_papers, write_papers
from clubapp.services.privacy.papers.parts import BLANK, FactList, Paper, Table
from tests.conftest import forget_settings, on_sqlite
from tests.factories import add_member

pytestmark = on_sqlite
PUBLISHER = "Réseau des Œuvres Économiques de l’Artois-Picardie-et-du-Pays-de-Lalœu-Réunis, rue de l’Église, Noyelles"
DIRECTOR = "Anne-Élisabeth-Marguerite Vandenbroucke-Delannoy-Montmorency-Hauteclocque de la Très Longue Lignée"
HOST = "relais.nom-de-serveur-qui-ne-tient-pas-dans-une-colonne-etroite.example"
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


@pytest.fixture
def papers(club: str, environment: pytest.MonkeyPatch) -> dict[str, Paper]:
    """Of an installation with everything set, and three members."""
    settings = {
        "CLUB_PUBLIC_URL": "https://club.example",
        "CLUB_NAME": "Réseau Lalœu",
        "CLUB_LEGAL_PUBLISHER": PUBLISHER,
        "CLUB_LEGAL_DIRECTOR": DIRECTOR,
        "CLUB_SMTP_URL": f"smtps://moi:secret-du-relais@{HOST}",
        "CLUB_MEDIA_URL": "s3://images/club",
        "AWS_ENDPOINT_URL": "https://s3.stockage.example",
        "AWS_REGION": "fr-par",
        "CLUB_SENTRY_DSN": "https://cle-secrete@erreurs.example/1",
        "CLUB_BACKUP_DIR": "/var/backups/club",
    }
    for name, value in settings.items():
        environment.setenv(name, value)
    forget_settings()
    with transaction() as session:
        for number in range(3):
            add_member(session, f"Membre {number}", f"m{number}@club.example")
    with reading() as session:
        return {paper.name.partition("-")[0]: paper for paper in make_papers(session, SYSTEM)}


def files() -> dict[str, bytes]:
    with reading() as session, ZipFile(BytesIO(make_archive(session, SYSTEM).content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def squeeze(text: str) -> str:
    """Without spaces and the hyphens at which lines end."""
    return re.sub(r"\s", "", text)


def pdf_text(content: bytes) -> str:
    """What is on the pages, without their feet."""
    pages = [page.extract_text() for page in PdfReader(BytesIO(content)).pages]
    return squeeze(re.sub(r"\n[^\n]*Page \d+ / \d+", "", "\n".join(pages)))


def docx_text(content: bytes) -> str:
    with ZipFile(BytesIO(content)) as document:
        body = ElementTree.fromstring(document.read("word/document.xml"))
    return squeeze(" ".join(found.text or "" for found in body.iter(f"{W}t")))


def sentences(paper: Paper) -> list[str]:
    """All that a paper says."""
    found = [paper.title, paper.lead]
    for part in paper.parts:
        if isinstance(part, FactList):
            found += [text for row in part.rows for text in row]
        elif isinstance(part, Table):
            found += [*part.head, *(text for row in part.rows for text in row)]
        else:
            found += [text for text in (getattr(part, "text", ""), *getattr(part, "items", ())) if text]
    return found


@pytest.mark.parametrize("person", [VISITOR, Actor("m@club.example", member_id="m", session_id="s")])
def test_only_an_administrator_has_them(club: str, person: Actor, tmp_path: Path) -> None:
    with reading() as session:
        for make in (make_papers, make_archive, lambda session, who: write_papers(session, who, tmp_path)):
            with pytest.raises(Forbidden):
                make(session, person)
    assert list(tmp_path.iterdir()) == []


def test_each_paper_says_all_of_it_in_both_formats_to_another_program(papers: dict[str, Paper]) -> None:
    made = files()
    assert len(papers) == 4
    assert len(made) == 8
    for paper in papers.values():
        drawn, written = pdf_text(made[f"{paper.name}.pdf"]), docx_text(made[f"{paper.name}.docx"])
        for text in sentences(paper):
            assert squeeze(text) in written, text
            assert squeeze(text) in drawn, text


def test_they_are_filled_from_the_settings_and_hold_no_secret(papers: dict[str, Paper]) -> None:
    register, processors = (" ".join(sentences(papers[name])) for name in ("registre", "liste"))
    assert PUBLISHER in register
    assert DIRECTOR in register
    assert "12\u00a0mois" in register
    for told in (HOST, "s3.stockage.example", "fr-par", "erreurs.example"):
        assert told in processors
    assert "copie de tout le site" not in processors.lower(), "what the club keeps itself is in nobody else's hands"
    everything = " ".join(text for paper in papers.values() for text in sentences(paper))
    assert not [secret for secret in ("secret-du-relais", "cle-secrete", "moi:") if secret in everything]
    assert "sur 3 fiches de membres" in everything


def test_only_measures_that_were_taken_are_told(papers: dict[str, Paper], environment: pytest.MonkeyPatch) -> None:
    for name in ("registre", "procedure"):
        told = " ".join(sentences(papers[name]))
        assert "double vérification proposée aux administrateurs" in told
        assert "sauvegardes" in told
    environment.setenv("CLUB_ADMIN_SECOND_FACTOR", "required")
    environment.delenv("CLUB_BACKUP_DIR")
    forget_settings()
    with reading() as session:
        register, _, procedure, _ = (" ".join(sentences(paper)) for paper in make_papers(session, SYSTEM))
    for told in (register, procedure):
        assert "double vérification exigée des administrateurs" in told
        assert "sauvegardes" not in told


def test_what_the_settings_do_not_say_is_a_blank_that_is_seen(club: str) -> None:
    made = files()
    content = made["liste-des-sous-traitants.docx"]
    assert squeeze(BLANK) in pdf_text(made["liste-des-sous-traitants.pdf"])
    with ZipFile(BytesIO(content)) as document:
        body = ElementTree.fromstring(document.read("word/document.xml"))
    blanks = [run for run in body.iter(f"{W}r") if "".join(text.text or "" for text in run.iter(f"{W}t")) == BLANK]
    assert len(blanks) > 3
    assert all(run.find(f"{W}rPr/{W}highlight") is not None for run in blanks)


def test_nothing_stands_over_an_edge(papers: dict[str, Paper]) -> None:
    for name, content in files().items():
        if not name.endswith(".pdf"):
            continue
        for page in PdfReader(BytesIO(content)).pages:
            places: list[tuple[float, float]] = []

            def note(
                text: str, _cm: object, tm: list[float], *_: object, seen: list[tuple[float, float]] = places
            ) -> None:
                if text.strip():
                    seen.append((tm[4], tm[5]))

            page.extract_text(visitor_text=note)
            width, height = float(page.mediabox.width), float(page.mediabox.height)
            assert places
            assert all(28 < x < width - 28 and 20 < y < height - 28 for x, y in places), name


def test_in_a_word_processor_columns_are_as_wide_as_their_words_and_nothing_to_sign_stands_alone(club: str) -> None:
    """LibreOffice takes widths from the grid of a table, Word from its cells."""
    for name, content in files().items():
        if not name.endswith(".docx"):
            continue
        with ZipFile(BytesIO(content)) as document:
            body = ElementTree.fromstring(document.read("word/document.xml"))
        for table in body.iter(f"{W}tbl"):
            grid = [int(column.attrib[f"{W}w"]) for column in table.iter(f"{W}gridCol")]
            cells = [int(width.attrib[f"{W}w"]) for width in table.iter(f"{W}tcW")]
            assert cells[: len(grid)] == grid, name
            assert len(set(grid)) > 1 or len(grid) == 4, name  # a group signs in four equal columns
            assert abs(sum(grid) - 17 * 567) < 20, name
        lines = ["".join(text.text or "" for text in line.iter(f"{W}t")) for line in body.iter(f"{W}p")]
        kept = [line.find(f"{W}pPr/{W}keepNext") is not None for line in body.iter(f"{W}p")]
        signed = [number for number, text in enumerate(lines) if text == "Signature"]
        assert any(kept[number - 2 : number] == [True, True] for number in signed), name


def test_in_a_word_processor_no_row_goes_over_two_pages_and_pages_are_numbered(club: str) -> None:
    for name, content in files().items():
        if not name.endswith(".docx"):
            continue
        with ZipFile(BytesIO(content)) as document:
            body = ElementTree.fromstring(document.read("word/document.xml"))
            (foot,) = [document.read(part).decode() for part in document.namelist() if "/footer" in part]
        rows = list(body.iter(f"{W}tr"))
        assert rows, name
        assert all(row.find(f"{W}trPr/{W}cantSplit") is not None for row in rows), name
        assert re.findall(r'w:instr="(\w+)"', foot) == ["PAGE", "NUMPAGES"], name


def test_a_folder_is_not_written_over_unless_asked(papers: dict[str, Paper], tmp_path: Path) -> None:
    folder = tmp_path / "chez" / "nous"
    with reading() as session:
        written = write_papers(session, SYSTEM, folder)
        assert sorted(folder.iterdir()) == sorted(written)
        assert {file.stat().st_mode & 0o777 for file in written} == {0o600}
        written[0].write_text("complété à la main")
        with pytest.raises(Conflict) as refused:
            write_papers(session, SYSTEM, folder)
        assert written[0].name in refused.value.text
        assert written[0].read_text() == "complété à la main"
        write_papers(session, SYSTEM, folder, force=True)
    assert written[0].read_bytes().startswith(b"%PDF")
