"""Badges as another program reads them: everyone once, whole, in order, and nothing over the edge of a label."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from itertools import pairwise
from typing import Any

import pytest
from PIL import ImageFont
from pypdf import PdfReader

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.refusals import Forbidden, NotFound, ProofRequired
from clubapp.services.answers.guests import GuestEntry
from clubapp.services.attendance import badges
from clubapp.services.attendance.badges import BY_COMPANY, FORMATS, BadgeOptions
from clubapp.services.base.actors import SYSTEM, VISITOR, Actor
from clubapp.settings import ROOT
from tests.conftest import on_sqlite
from tests.factories import add_event, add_guest, add_member, add_reservation
from tests.services.answers.invitees import NOW, invite
from tests.services.answers.test_answer_history import sent
from tests.services.answers.test_guests import names

pytestmark = on_sqlite
LONG = "Marie-Charlotte de la Très Longue Lignée des Montmorency-Hauteclocque"
LONG_COMPANY = "Établissements Vandenbroucke, Delespaul-Havez & Associés, constructions métalliques"
WORD = "Chandrasekharanlakshminarayanan"
POINT = 25.4 / 72


@dataclass(frozen=True)
class Text:
    """A line of a page with where it begins and ends, in millimetres from the top left corner."""

    text: str
    left: float
    right: float
    baseline: float
    size: float


@pytest.fixture
def event_id(club: str, at: Callable[[str], datetime]) -> str:
    """Five who come, two of them with guests, and one who does not."""
    at("2026-11-09T10:00")
    with transaction() as session:
        event = add_event(session, "Dîner", clock.from_local("2026-12-10T12:00"), status="confirmed")
        given = [
            (LONG, LONG_COMPANY, "Bâtiment & Travaux", 2),
            ("Bo Ly", "Zinc", "Logistique & Transport", 0),
            ("Œdipe Şahin", "Atelier", "", 1),
            (WORD, "Brasserie", "Formation & Conseil", 0),
            ("Zélie-Baptiste Vanroyen", "Atelier", "Sécurité & Qualité", 0),
        ]
        for number, (name, company, domain, guests) in enumerate(given):
            member = add_member(session, name, f"m{number}@club.example", company=company, activity_domain=domain)
            yes = {"will_attend": True, "responded_at": clock.from_local(f"2026-11-{10 + number}T09:00")}
            row, _ = add_reservation(session, event, member, **yes, guest_count=guests)
            if guests:
                add_guest(session, event, row.id, 1, name=f"Invitée {number}", company="Ailleurs")
        add_reservation(session, event, add_member(session, "Absent", "absent@club.example"), will_attend=False)
        return event.id


def draw(event_id: str, *chosen: str) -> PdfReader:
    with reading() as session:
        return PdfReader(BytesIO(badges.badges_pdf(session, SYSTEM, event_id, *chosen).content))


def texts_of(reader: PdfReader) -> list[list[Text]]:
    """The lines of each page; widths are measured with the fonts themselves."""
    found: list[list[Text]] = []
    for page in reader.pages:
        lines: list[Text] = []

        def note(text: str, _cm: Any, tm: Any, font: Any, size: float, lines: list[Text] = lines) -> None:
            if text.strip():
                file = "fraunces-600" if "raunces" in str(font["/BaseFont"]) else "figtree-500"
                measured = ImageFont.truetype(ROOT / "clubapp" / "fonts" / f"{file}.ttf", 1000)
                width = measured.getlength(text.strip()) * size / 1000
                lines.append(
                    Text(text.strip(), tm[4] * POINT, (tm[4] + width) * POINT, 297 - tm[5] * POINT, size * POINT)
                )

        page.extract_text(visitor_text=note)
        found.append(lines)
    return found


def words_of(reader: PdfReader) -> str:
    return " ".join(" ".join(page.extract_text() for page in reader.pages).split())


@pytest.mark.parametrize("person", [VISITOR, Actor("m@club.example", member_id="m", session_id="s")])
def test_badges_are_for_administrators_with_a_fresh_proof(event_id: str, person: Actor) -> None:
    with reading() as session:
        with pytest.raises(Forbidden):
            badges.badges_pdf(session, person, event_id)
        with pytest.raises(ProofRequired):
            badges.badges_pdf(session, Actor("h@club.example", is_admin=True, needs_proof=True), event_id)
        with pytest.raises(NotFound):
            badges.badges_pdf(session, SYSTEM, "gone")


@pytest.mark.parametrize("kind", FORMATS)
def test_everyone_has_one_badge_with_name_company_and_domain_whole(event_id: str, kind: str) -> None:
    words = words_of(draw(event_id, kind))
    for name in (LONG, "Bo Ly", "Œdipe Şahin", WORD, "Zélie-Baptiste Vanroyen", "Invitée 0", "Invitée 2"):
        others = 2 if name == LONG else 1 if name == "Œdipe Şahin" else 0  # on the badges of their guests
        assert words.count(name) == 1 + others, name
    assert LONG_COMPANY in words
    assert words.count(f"Invité de {LONG}") == 2  # one of them has no name yet
    for word in ("Invité d’Œdipe Şahin", "Bâtiment & Travaux", "Sécurité & Qualité"):
        assert word in words
    assert "Absent" not in words


@pytest.mark.parametrize("kind", FORMATS)
def test_nothing_is_over_the_edge_of_its_label_or_over_another_line(event_id: str, kind: str) -> None:
    labels = FORMATS[kind]
    (lines,) = texts_of(draw(event_id, kind))
    placed: dict[tuple[int, int], list[Text]] = {}
    for line in lines:
        column = int((line.left - labels.left) // (labels.width + labels.gap))
        row = int((line.baseline - labels.top) // labels.height)
        left, top = labels.left + column * (labels.width + labels.gap), labels.top + row * labels.height
        assert left + 5 < line.left < line.right <= left + labels.width - 5, line
        assert top + 5 < line.baseline < top + labels.height - 5, line
        placed.setdefault((row, column), []).append(line)
    assert len(placed) == 8
    assert min(line.size for line in lines) > 8 * POINT, "all of it can be read"
    for texts in placed.values():
        for above, below in pairwise(texts):
            assert above.baseline + 0.2 * above.size < below.baseline - 0.7 * below.size, (above, below)


def test_labels_that_are_used_stay_empty_and_the_next_sheet_begins_in_time(event_id: str) -> None:
    first, second = texts_of(draw(event_id, "8", "nom", "3"))
    labels = FORMATS["8"]
    assert min(line.baseline for line in first) > labels.top + labels.height
    assert {line.baseline < labels.top + labels.height for line in second} == {True}
    with reading() as session:
        for options, said in (
            (BadgeOptions(first="3"), "8 badges sur 2 feuilles."),
            (BadgeOptions(kind="10"), "8 badges sur 1 feuille."),
            (BadgeOptions(since="2027-01-01"), "Aucun badge à imprimer."),
        ):
            assert badges.describe_badges(session, SYSTEM, event_id, options) == said


def test_badges_are_in_the_order_of_names_or_of_companies(event_id: str) -> None:
    def order(options: BadgeOptions) -> list[str]:
        with reading() as session:
            return [one.name for one in badges.list_badges(session, event_id, options)]

    unnamed = f"invité de {LONG}"
    by_name = ["Bo Ly", WORD, "Invitée 0", "Invitée 2", LONG, unnamed, "Œdipe Şahin", "Zélie-Baptiste Vanroyen"]
    assert order(BadgeOptions()) == by_name
    by_company = ["Invitée 0", "Invitée 2", "Œdipe Şahin", "Zélie-Baptiste Vanroyen", WORD, LONG, unnamed, "Bo Ly"]
    assert order(BadgeOptions(order=BY_COMPANY)) == by_company


def test_the_late_ones_are_printed_alone(event_id: str) -> None:
    words = words_of(draw(event_id, "8", "nom", "1", "2026-11-13"))
    assert (WORD in words, "Zélie-Baptiste Vanroyen" in words, "Bo Ly" in words, "Invitée 0" in words) == (
        True,
        True,
        False,
        False,
    )


def test_a_guest_who_is_announced_or_named_later_is_late(club: str, at: Callable[[str], datetime]) -> None:
    at(NOW)
    marie, paul = invite("Marie", "Paul")
    marie.says(True, guests=1)
    paul.says(True, guests=1)
    sent(marie)
    options = BadgeOptions(since="2026-11-25")

    def late() -> list[str]:
        with reading() as session:
            return [one.name for one in badges.list_badges(session, marie.event_id, options)]

    at("2026-11-25T10:00")
    marie.brings(2)
    assert late() == ["invité de Marie"]
    names(paul, GuestEntry("Zoé Lys"))
    assert late() == ["invité de Marie", "Zoé Lys"]


@pytest.mark.parametrize("chosen", [("9", "x", "99", "demain"), ("", "", "", ""), ("8", "nom", "-1", "2026-13-40")])
def test_options_that_make_no_sense_are_the_usual_ones(event_id: str, chosen: tuple[str, ...]) -> None:
    assert words_of(draw(event_id, *chosen)).count("Bo Ly") == 1
    assert BadgeOptions(*chosen).skipped in (0, 7)


def test_an_event_without_anyone_says_so(event_id: str) -> None:
    with transaction() as session:
        empty = add_event(session, "Vide", clock.from_local("2027-01-10T12:00")).id
    assert words_of(draw(empty)) == "Aucun badge à imprimer."
