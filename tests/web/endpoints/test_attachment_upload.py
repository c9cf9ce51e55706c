"""POST /attachments/…: a file for a mail, from who may, of known kinds, within the bounds (W1, W3, W8)."""

from urllib.parse import quote

import pytest
from httpx import Response
from sqlmodel import select
from starlette.routing import Router
from starlette.testclient import TestClient

from clubapp.database import reading, transaction
from clubapp.models import MailAttachment, new_id
from clubapp.services.access import sessions
from clubapp.services.base import upload_quota
from clubapp.services.mailings import attachment_kinds, attachments
from clubapp.web.endpoints.uploads import attachment_upload
from clubapp.web.security.headers import SecurityHeaders
from tests.conftest import on_sqlite
from tests.factories import add_admin, add_member

ORIGIN = "http://localhost:3000"
HELENE, PAUL, MARIE = "helene@beffroi.example", "paul@beffroi.example", "marie@durand.example"
PDF = b"%PDF-1.7 the plan"
pytestmark = on_sqlite


class Browser(TestClient):
    """Someone's browser on one of our pages."""

    def __init__(self, email: str = "") -> None:
        super().__init__(SecurityHeaders(Router(attachment_upload.routes())), base_url=ORIGIN)
        self.headers["Origin"] = ORIGIN
        if email:
            with transaction() as session:
                self.cookies.set("session", sessions.open_session(session, email)[0])

    def upload(self, mail: str, content: bytes = PDF, name: str = "plan.pdf", **headers: str) -> Response:
        return self.post(f"/attachments/{mail}?nom={quote(name)}", content=content, headers=headers)


@pytest.fixture(autouse=True)
def people(club: str) -> None:
    with transaction() as session:
        for email in (HELENE, PAUL):
            add_admin(session, email)
        add_member(session, email=MARIE)


def kept() -> list[tuple[str, str]]:
    with reading() as session:
        return [(row.name, row.sent_by) for row in session.exec(select(MailAttachment)).all()]


def test_a_file_is_kept_for_its_mail_under_a_clean_name() -> None:
    answer = Browser(HELENE).upload(new_id(), name="../Plan d’été.pdf")
    assert (answer.status_code, answer.headers["cache-control"]) == (201, "no-store")
    assert kept() == [("Plan d’été.pdf", HELENE)]


def test_who_may_not_keeps_nothing() -> None:
    mail = new_id()
    assert Browser(HELENE).upload(mail).status_code == 201
    foreign = Browser(HELENE).upload(mail, Origin="https://elsewhere.example")
    refused = [Browser().upload(mail), Browser(MARIE).upload(mail), Browser(PAUL).upload(mail), foreign]
    assert [answer.status_code for answer in refused] == [401, 403, 403, 403]
    assert refused[0].json()["error"] == attachment_upload.SESSION_ENDED
    assert refused[2].json()["error"] == attachments.OF_ANOTHER
    assert len(kept()) == 1


def test_what_is_forged_gets_a_french_refusal_and_leaves_nothing() -> None:
    browser, mail = Browser(HELENE), new_id()
    heavy = PDF + b"\0" * attachment_kinds.MOST_BYTES
    cases = {
        (413, attachment_kinds.TOO_HEAVY): browser.upload(mail, heavy),
        (422, attachment_kinds.WRONG_KIND): browser.upload(mail, b"MZ", "jeu.exe"),
        (422, attachment_kinds.WRONG_NAME): browser.upload(mail, b"MZ"),
        (422, attachment_kinds.EMPTY): browser.upload(mail, b""),
    }
    assert [(answer.status_code, answer.json()["error"]) for answer in cases.values()] == list(cases)
    for wrong in ("..%2f..", "1", f"{mail}%00", mail.upper()):
        assert browser.upload(wrong).status_code == 404
    assert browser.upload(mail, name="a\0b.pdf").status_code == 422
    assert kept() == []


def test_the_eleventh_file_and_too_many_uploads_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    browser, mail = Browser(HELENE), new_id()
    answers = [browser.upload(mail) for _ in range(11)]
    assert [answer.status_code for answer in answers] == [*[201] * 10, 409]
    assert answers[10].json()["error"] == attachments.TOO_MANY
    monkeypatch.setattr(upload_quota, "MOST", 10)
    assert browser.upload(new_id()).status_code == 429
    assert len(kept()) == 10
