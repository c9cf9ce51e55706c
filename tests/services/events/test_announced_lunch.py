"""Who comes and has not answered for lunch is told with the numbers of an event, and is no meal (D8)."""

from html import unescape
from io import BytesIO

import pytest
from pypdf import PdfReader

from clubapp.database import reading
from clubapp.mail.transport import mime
from clubapp.services.events import numbers_sheet
from tests.services.events.announced import HELENE, Move, add_lunch, change, change_event, letters, read_pdf, tell


@pytest.fixture
def event_id(club: str, at: Move) -> str:
    """The lunch, on 20 November."""
    at("2026-11-20T10:00")
    return add_lunch()


def test_who_has_not_answered_for_lunch_is_told_beside_the_meals_and_counted_as_none(event_id: str) -> None:
    tell(event_id)
    assert all("déjeuner\u00a0:" not in mime.render_parts(letters(kind)[-1][1])[1] for kind in ("caterer", "host"))
    change("Marie Durand", with_lunch=None)
    change("Luc Ory", will_attend=True)
    tell(event_id)
    change("Luc Ory", with_lunch=True)  # what is told is what was frozen
    told = "4 personnes attendues n’ont pas encore répondu pour le déjeuner\u00a0: leur repas n’est pas compté."
    for kind in ("caterer", "host"):
        (_, letter) = letters(kind)[-1]
        _, text, html = mime.render_parts(letter)
        printed = " ".join(read_pdf(letter).split())
        for shown_text in (text, unescape(html), printed):
            assert told.replace("\u00a0", " ") in shown_text.replace("\u00a0", " ")
        assert {line.label: line.value for line in letter.context["lines"]}["Déjeuners"] == "0"
    with reading() as session:
        sheet = numbers_sheet.numbers_pdf(session, HELENE, event_id).content
    drawn = " ".join("".join(page.extract_text() for page in PdfReader(BytesIO(sheet)).pages).split())
    assert "3 personnes attendues n’ont pas encore répondu pour le déjeuner" in drawn


def test_of_an_event_without_lunch_nobody_is_told_to_have_kept_silent_about_it(event_id: str) -> None:
    change("Marie Durand", with_lunch=None)
    change_event(has_lunch=False)
    tell(event_id)
    assert "répondu" not in mime.render_parts(letters("caterer")[-1][1])[1]
