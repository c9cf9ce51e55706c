"""Somebody who answers by the forms of the answer page, without scripts."""

from dataclasses import dataclass, field

from httpx import Response
from sqlmodel import select
from starlette.testclient import TestClient

from clubapp.database import transaction
from clubapp.models import Event
from tests.factories import add_member, add_reservation
from tests.services.answers.maries_link import stored
from tests.web.plain_document import PlainDocument

ORIGIN = "http://localhost:3000"


@dataclass
class Person:
    """Somebody who opened a link in a browser that runs no script."""

    visit: TestClient
    link: tuple[str, str]
    page: PlainDocument = field(init=False)
    answer: Response = field(init=False)

    def __post_init__(self) -> None:
        self.open()

    def open(self, query: str = "") -> "Person":
        event_id, token = self.link
        return self._read(self.visit.get(f"/event/{event_id}?token={token}{query}"))

    def press(self, button: str, **typed: str) -> "Person":
        form, sent = self.page.form_of(button)
        if form.method == "get":
            return self._read(self.visit.get(form.action, params=sent | typed))
        return self._read(self.visit.post(form.action, data=sent | typed, headers={"Origin": ORIGIN}))

    def _read(self, answer: Response) -> "Person":
        self.answer, self.page = answer, PlainDocument(answer.text)
        return self

    @property
    def step(self) -> str:
        return self.page.step

    @property
    def said(self) -> tuple[bool | None, bool | None, int]:
        row = stored(self.link[0])
        return row.will_attend, row.with_lunch, row.guest_count


def take_a_place() -> str:
    """Somebody else comes to the one event there is; their reservation."""
    with transaction() as session:
        event = session.exec(select(Event)).one()
        other, _ = add_reservation(session, event, add_member(session, "Paul Petit", "paul@petit.example"))
        other.will_attend = True
        session.add(other)
        return other.id
