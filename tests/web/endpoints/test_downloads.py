"""The files administrators take away: who may have them, and what another program reads in them."""

import csv
import json
from collections.abc import Callable
from datetime import datetime
from io import BytesIO, StringIO
from zipfile import ZipFile

import pytest
from httpx import Response
from openpyxl import load_workbook
from openpyxl.worksheet.worksheet import Worksheet
from pypdf import PdfReader
from sqlmodel import col, select
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.testclient import TestClient

from clubapp import clock, routes
from clubapp.database import reading, transaction
from clubapp.models import Act, Member, RightsRequest
from clubapp.services.access import sessions
from clubapp.services.privacy.data_export import NO_REQUEST
from clubapp.web.endpoints import downloads
from tests.factories import add_admin, add_event, add_guest, add_member, add_reservation

HELENE, MARIE = "helene@beffroi.example", "marie@durand.example"


@pytest.fixture(autouse=True)
def november(at: Callable[[str], datetime]) -> None:
    at("2026-11-20T10:00")


def asked(path: str, email: str = HELENE, method: str = "GET") -> Response:
    """What a browser gets at an address, signed in when it has an e-mail."""
    client = TestClient(Starlette(routes=downloads.routes()), follow_redirects=False)
    if email:
        with transaction() as session:
            client.cookies.set("session", sessions.open_session(session, email)[0])
    return client.request(method, path)


@pytest.fixture
def event_id(club: str) -> str:
    """A lunch with four people, one of whom has a hostile name."""
    with transaction() as session:
        add_admin(session, HELENE)
        event = add_event(session, "Dîner d'été : l'Œuf & le «lin»", clock.from_local("2027-01-14T12:00"))
        marie = add_member(session, "Marie Durand", MARIE, company="Atelier Lefèbvre", phone="+33639985501")
        eric = add_member(session, "Éric Lemoine", "eric@club.example", company="+1-800 & fils")
        formula = add_member(session, '=HYPERLINK("http://ailleurs.example")', "formule@club.example", phone="@poste")
        silent = add_member(session, "Zoé Roy", "zoe@club.example", phone="0320555501", role="Gérante ; associée")
        yes = {"will_attend": True, "responded_at": clock.now()}
        hers, _ = add_reservation(session, event, marie, **yes, with_lunch=True, guest_count=2, answered_via="link")
        add_guest(session, event, hers.id, 2, name="Zoé Lys", company="Lys & Cie", meal_wish="sans sel")
        add_reservation(session, event, eric, **yes, with_lunch=False, answered_via="phone", recorded_by=HELENE)
        add_reservation(session, event, formula, will_attend=False, responded_at=clock.now())
        add_reservation(session, event, silent)
        for key, kind, member in (
            ("asked", "copy", marie.id), ("no-member", "copy", None), ("erasure", "erasure", marie.id),
            ("answered", "copy", marie.id),
        ):  # fmt: skip
            asked_at, done_at = clock.now(), clock.now() if key == "answered" else None
            session.add(
                RightsRequest(
                    id=key, kind=kind, name="Marie", member_id=member, asked_at=asked_at, due_at=asked_at,
                    answered_at=done_at,
                )
            )  # fmt: skip
        return event.id


def rows_of(answer: Response) -> list[list[str]]:
    return list(csv.reader(StringIO(answer.content.decode("utf-8-sig"), newline=""), delimiter=";"))


def text_of(answer: Response) -> list[str]:
    return [page.extract_text() for page in PdfReader(BytesIO(answer.content)).pages]


def every_path() -> list[str]:
    """The addresses of the administration."""
    return [route.path for route in downloads.routes() if isinstance(route, Route) and route.path.startswith("/admin")]


def test_every_file_of_the_administration_is_only_for_administrators(event_id: str) -> None:
    assert len(every_path()) >= 3
    for path in every_path():
        address = path.replace("{event_id}", event_id).replace("{request_id}", "asked")
        assert (asked(address, "").status_code, asked(address, "").headers["location"]) == (303, "/connexion")
        refused = asked(address, MARIE)
        assert (refused.status_code, refused.text) == (403, "Vous n’avez pas accès à cette action.")
        given = asked(address)
        assert given.status_code == 200
        for answer in (refused, given):
            assert answer.headers["cache-control"] == "no-store"


def test_a_file_with_people_in_it_needs_a_recent_proof(event_id: str, at: Callable[[str], datetime]) -> None:
    client = TestClient(Starlette(routes=downloads.routes()), follow_redirects=False)
    with transaction() as session:
        client.cookies.set("session", sessions.open_session(session, HELENE)[0])
    at("2026-11-20T10:15")
    for path in set(every_path()) - {routes.PAPERS}:  # which name nobody
        address = path.replace("{event_id}", event_id).replace("{request_id}", "asked")
        refused = client.get(address)
        assert (address, refused.status_code) == (address, 403)
        assert "preuve récente" in refused.text


def test_an_administrator_fetches_the_copy_that_a_member_waits_for(event_id: str) -> None:
    """The files are those that the member gets; the act names whose data were taken."""
    given = asked("/admin/demandes/asked/copie.zip")
    assert given.headers["content-disposition"] == 'attachment; filename="copie-des-donnees.zip"'
    with ZipFile(BytesIO(given.content)) as archive:
        assert archive.namelist() == ["mes-donnees.json", "mes-donnees.csv"]
        theirs = asked("/member/data.csv", MARIE).text.splitlines()
        lines = archive.read("mes-donnees.csv").decode("utf-8-sig").splitlines()
        about = ("profil;", "invitations;", "invites;", "demandes;")
        assert [line for line in lines if line.startswith(about)] == [line for line in theirs if line.startswith(about)]
        assert json.loads(archive.read("mes-donnees.json"))["profil"][0]["name"] == "Marie Durand"
    with reading() as session:
        (taken,) = session.exec(select(Act).where(Act.action == "export.requested_copy"))
        marie = session.exec(select(Member.id).where(Member.email == MARIE)).one()
        assert (taken.subject, taken.actor_id != "", taken.detail) == (marie, True, {"file": "copie-des-donnees.zip"})
    for other in ("no-member", "erasure", "answered", "nobody"):
        refused = asked(f"/admin/demandes/{other}/copie.zip")
        assert (refused.status_code, refused.text) == (404, NO_REQUEST)


def test_a_session_that_has_ended_is_told_so(event_id: str, at: Callable[[str], datetime]) -> None:
    client = TestClient(Starlette(routes=downloads.routes()), follow_redirects=False)
    with transaction() as session:
        client.cookies.set("session", sessions.open_session(session, HELENE)[0])
    at("2026-11-20T12:00")
    assert client.get(f"/admin/events/{event_id}/reponses.csv").headers["location"] == "/connexion?motif=expiree"


@pytest.mark.parametrize("identifier", ["nobody", "%00", "00000000-0000-0000-0000-000000000000"])
def test_an_event_that_is_not_there_is_said_in_french(event_id: str, identifier: str) -> None:
    for path in ("reponses.csv", "reponses.xlsx", "emargement.pdf"):
        answer = asked(f"/admin/events/{identifier}/{path}")
        assert (answer.status_code, "n’existe plus" in answer.text) == (404, True)


@pytest.mark.parametrize(
    ("path", "name", "kind"),
    [
        ("reponses.csv", "reponses-diner-d-ete-l-oeuf-le-lin-2027-01-14.csv", "text/csv; charset=utf-8"),
        (
            "reponses.xlsx",
            "reponses-diner-d-ete-l-oeuf-le-lin-2027-01-14.xlsx",
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        ),
        ("emargement.pdf", "emargement-diner-d-ete-l-oeuf-le-lin-2027-01-14.pdf", "application/pdf"),
    ],
)
def test_a_file_is_named_after_its_event_and_day(event_id: str, path: str, name: str, kind: str) -> None:
    answer = asked(f"/admin/events/{event_id}/{path}")
    assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'
    assert answer.headers["content-type"] == kind


def test_whoever_asks_for_the_head_of_a_file_alone_takes_none(event_id: str) -> None:
    path = f"/admin/events/{event_id}/reponses.csv"
    assert asked(path, method="HEAD").status_code == 200
    with reading() as session:
        assert not session.exec(select(Act).where(col(Act.action).startswith("export"))).all()
    asked(path)
    with reading() as session:
        assert len(session.exec(select(Act).where(col(Act.action).startswith("export"))).all()) == 1


def test_the_answers_are_read_alike_in_csv_and_in_the_workbook(event_id: str) -> None:
    head, *rows = rows_of(asked(f"/admin/events/{event_id}/reponses.csv"))
    assert head[:8] == ["Nom", "Entreprise", "Fonction", "E-mail", "Téléphone", "Réponse", "Déjeuner", "Invités"]
    by_name = {row[0]: row[1:] for row in rows}
    assert by_name["Marie Durand"] == [
        "Atelier Lefèbvre", "", MARIE, "06 39 98 55 01", "Présent", "oui", "2", "20/11/2026 11:00",
        "répondu par le lien", "", "", "3", "Zoé Lys, Lys & Cie", "Zoé Lys\u00a0: sans sel",
    ]  # fmt: skip
    assert by_name["Éric Lemoine"][-3:] == ["0", "", ""]
    assert by_name["Éric Lemoine"][4:10] == [
        "Présent", "non", "0", "20/11/2026 11:00", "répondu par téléphone", HELENE,
    ]  # fmt: skip
    assert by_name["Zoé Roy"][1:6] == ["Gérante ; associée", "zoe@club.example", "03 20 55 55 01", "Pas de réponse", ""]
    sheet = load_workbook(BytesIO(asked(f"/admin/events/{event_id}/reponses.xlsx").content)).active
    assert isinstance(sheet, Worksheet)
    found = [[cell.value for cell in row] for row in sheet.iter_rows()]
    assert found[0] == head
    assert [row[0] for row in found] == [head[0], *[row[0] for row in rows]]
    marie = next(row for row in found if row[0] == "Marie Durand")
    assert (marie[7], marie[8]) == (2, datetime(2026, 11, 20, 11, 0))  # noqa: DTZ001 - Excel's


def test_no_cell_of_an_export_runs_and_every_number_can_be_dialled(event_id: str) -> None:
    rows = rows_of(asked(f"/admin/events/{event_id}/reponses.csv"))
    assert not [cell for row in rows for cell in row if cell[:1] in ("=", "+", "-", "@", "\t", "\r")]
    hostile = next(row for row in rows if "HYPERLINK" in row[0])
    assert (hostile[0], hostile[4]) == ('\'=HYPERLINK("http://ailleurs.example")', "'@poste")


def test_the_sheet_to_sign_holds_those_who_come_with_company_guests_and_lunch(event_id: str) -> None:
    (page,) = text_of(asked(f"/admin/events/{event_id}/emargement.pdf"))
    for expected in (
        "Dîner d'été : l'Œuf & le «lin»",
        "jeudi 14 janvier 2027 à 12:00, Valenciennes",
        "2 présents, 2 invités, 3 déjeuners",
        "invité de Marie Durand",
        "Zoé Lys, invité de Marie Durand",
        "Lys & Cie",
        "Signature",
        "Marie Durand",
        "Atelier Lefèbvre",
        "Éric Lemoine",
        "Page 1 / 1",
    ):
        assert expected in " ".join(page.split())
    assert "sans sel" not in page
    assert "Zoé Roy" not in page
    assert "HYPERLINK" not in page


def test_two_hundred_people_with_long_names_fill_numbered_pages_and_nobody_is_lost(club: str) -> None:
    with transaction() as session:
        add_admin(session, HELENE)
        event = add_event(session, "x" * 200, has_lunch=False)
        for number in range(200):
            name = f"N{number:03} " + ("de la Très Longue Lignée " * 6 if number % 25 == 0 else "Łukasz Žižka 🎉")
            member = add_member(session, name.strip(), f"m{number}@club.example", company="W" * (number % 60))
            add_reservation(session, event, member, will_attend=True)
        path = f"/admin/events/{event.id}/emargement.pdf"
    pages = text_of(asked(path))
    assert len(pages) > 5
    found = "\n".join(pages)
    assert [number for number in range(200) if f"N{number:03}" not in found] == []
    assert "Łukasz Žižka" in found
    assert "Déjeuner" not in found
    for number, page in enumerate(pages, 1):
        assert f"Page {number} / {len(pages)}" in page
        assert "Signature" in page


@pytest.mark.parametrize(
    ("name", "drawn"),
    [
        ("Wołodźmierz Żądło-Śćęń", "Wołodźmierz Żądło-Śćęń"),
        ("Jiří Dvořák, Ďáblův Šťěň", "Jiří Dvořák, Ďáblův Šťěň"),
        ("Gülşah Iğdır İnce", "Gülşah Iğdır İnce"),
        ("Ştefan Ţăran, Ștefan Țăran", "Ştefan Țăran, Ștefan Țăran"),
        ("Ðorđe Őry Ķirse", "Ðorđe Őry Ķirse"),
        ("Zoe\u0301 Nguyễn 🎉 Ж", "Zoé Nguyễn ?"),
    ],
)
def test_the_letters_of_our_neighbours_are_drawn_with_their_marks(club: str, name: str, drawn: str) -> None:
    with transaction() as session:
        add_admin(session, HELENE)
        event = add_event(session, name)
        add_reservation(session, event, add_member(session, name), will_attend=True)
        path = f"/admin/events/{event.id}/emargement.pdf"
    (page,) = text_of(asked(path))
    shown = " ".join(page.split())
    assert shown.count(drawn) >= 2, shown  # the heading's typeface and the table's


@pytest.mark.parametrize(
    "name",
    [
        "Chandrasekharanlakshminarayanan",
        "Anne-Charlotte Mohammedabderrahmanebenmansour",
        "Abdelkrim Ould-Hamdaoui-Benmansour",
    ],
)
def test_a_name_of_long_words_keeps_them_whole(club: str, name: str) -> None:
    with transaction() as session:
        add_admin(session, HELENE)
        event = add_event(session)
        add_reservation(session, event, add_member(session, name), will_attend=True)
        path = f"/admin/events/{event.id}/emargement.pdf"
    (page,) = text_of(asked(path))
    assert name in " ".join(page.split())


def test_a_sheet_without_anyone_has_lines_to_write_on(club: str) -> None:
    with transaction() as session:
        add_admin(session, HELENE)
        path = f"/admin/events/{add_event(session).id}/emargement.pdf"
    (page,) = text_of(asked(path))
    assert "0 présent, 0 invité, 0 déjeuner" in page
