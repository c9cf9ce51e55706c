"""Names of other languages on every paper of the day: each once, in its own letters, and within the page (C6)."""

from collections.abc import Callable
from datetime import datetime
from io import BytesIO

import pytest
from pypdf import PdfReader

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.mail.messages.announcement.letters import draw_numbers
from clubapp.models import Event
from clubapp.services.attendance import arrival_sheets, badges, event_exports
from clubapp.services.base.actors import SYSTEM
from clubapp.services.seating import editing, table_sheets
from tests.conftest import on_sqlite
from tests.factories import add_event, add_guest, add_member, add_reservation
from tests.services.attendance.test_badges import texts_of

NAMES = [
    "Nguyễn Thị Ánh Tuyết",
    "Lê Hữu Phước Ưu Ổn",
    "Łukasz Żółkiewski-Źdźbło",
    "Çağlar Şentürk İpekçioğlu",
    "Őrsi Ágnes Fűzfői",
    "Ștefan Țăran",
]
GUEST = "Trần Đức Hạnh Bùi Ứng"
PAPERS: dict[str, Callable[..., bytes]] = {
    "sheet": lambda *asked: event_exports.attendance(*asked).content,
    "arrivals": lambda *asked: arrival_sheets.arrivals_pdf(*asked).content,
    "tables": lambda *asked: table_sheets.names_pdf(*asked).content,
    "cards": lambda *asked: table_sheets.cards_pdf(*asked).content,
    "badges": lambda *asked: badges.badges_pdf(*asked).content,
    "numbers": lambda session, _, event_id: draw_numbers(
        session.get_one(Event, event_id), clock.now(), (), [*NAMES, GUEST]
    ),
}

pytestmark = on_sqlite


@pytest.mark.parametrize("paper", PAPERS)
def test_each_name_is_printed_once_in_its_own_letters(club: str, at: Callable[[str], datetime], paper: str) -> None:
    at("2027-01-14T11:15")
    with transaction() as session:
        event = add_event(session, "Déjeuner", clock.from_local("2027-01-14T12:00"), status="confirmed", has_lunch=True)
        for name in NAMES:
            member = add_member(session, name, None, company=f"Maison {name.split()[0][::-1]}")
            row, _ = add_reservation(session, event, member, will_attend=True, with_lunch=True)
        row.guest_count = 1
        add_guest(session, event, row.id, 1, name=GUEST)
        session.flush()
        editing.set_tables(session, SYSTEM, event.id, 1, 8)
        editing.record_proposal(session, SYSTEM, event.id, editing.propose(session, SYSTEM, event.id, 1))
        event_id = event.id
    with reading() as session:
        drawn = PdfReader(BytesIO(PAPERS[paper](session, SYSTEM, event_id)))
    words = " ".join(" ".join(page.extract_text() for page in drawn.pages).split())
    host = NAMES[-1]  # named once more, as who brings the guest
    counts = {name: words.count(name) for name in (*NAMES, GUEST)}
    assert counts | {host: 1} == dict.fromkeys(counts, 1), words
    edges = [(text.left, text.right) for page in texts_of(drawn) for text in page]
    assert all(0 < left < right < 210 for left, right in edges)
