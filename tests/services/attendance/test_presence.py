"""How present members are: a mark for each meeting whose doors were closed, figures by season, a table."""

import csv
import io
from datetime import UTC, datetime
from typing import Any

import pytest

from clubapp.database import reading, transaction
from clubapp.models import Arrival
from clubapp.refusals import Forbidden
from clubapp.services.attendance import presence
from clubapp.services.attendance.presence import Presence
from clubapp.services.base.actors import VISITOR, Actor
from tests.factories import add_event, add_member, add_reservation
from tests.statements import counted

HELENE = Actor(email="helene@beffroi.example", is_admin=True, session_id="s")
MARIE = Actor(email="marie@durand.example", member_id="m", session_id="t")
YES: dict[str, Any] = {"will_attend": True}
NO: dict[str, Any] = {"will_attend": False}
SILENT: dict[str, Any] = {}


def held(month: str, answers: dict[str, tuple[dict[str, Any] | None, bool]], **given: Any) -> None:
    """A meeting on the 14th of a month, whose doors were closed: what each member said, None uninvited, and came."""
    date = datetime.fromisoformat(f"{month}-14T11:00+00:00")
    with transaction() as session:
        event = add_event(
            session, f"Rencontre {month}", date, **{"doors_closed_at": date, "status": "completed"} | given
        )
        for member_id, (said, came) in answers.items():
            if said is not None:
                add_reservation(session, event, members[member_id], **said)
            if came:
                person = members[member_id].id
                session.add(Arrival(event_id=event.id, person=person, arrived_at=date, created_at=date))


members: dict[str, Any] = {}


@pytest.fixture(autouse=True)
def people(club: str) -> None:
    members.clear()
    with transaction() as session:
        for name in ("Marie", "Paul"):
            members[name] = add_member(session, name, None, company=f"Maison {name}")


def of(name: str, **given: int) -> Presence:
    with reading() as session:
        member_id = members[name].id
        return presence.list_presence(session, HELENE, [member_id], **given)[member_id]


def marks(name: str, **given: int) -> list[str]:
    return [dot.mark for dot in of(name, **given).dots]


@pytest.mark.parametrize("actor", [VISITOR, MARIE], ids=["visitor", "member"])
def test_only_the_club_sees_who_was_present(actor: Actor) -> None:
    with reading() as session:
        for act in (lambda: presence.list_presence(session, actor, []), lambda: presence.export_csv(session, actor)):
            with pytest.raises(Forbidden):
                act()


def test_a_meeting_is_marked_by_what_was_said_and_what_was() -> None:
    waits = {"will_attend": True, "waiting_since": datetime(2026, 1, 1, tzinfo=UTC)}
    held("2026-01", {"Marie": (YES, True)})
    held("2026-02", {"Marie": (NO, False)})
    held("2026-03", {"Marie": (YES, False)})
    held("2026-04", {"Marie": (SILENT, False)})
    held("2026-05", {"Marie": (NO, True)})
    held("2026-06", {"Marie": (None, True)})
    held("2026-07", {"Marie": (waits, False)})
    held("2026-08", {"Marie": (None, False), "Paul": ({"withdrawn_at": datetime(2026, 1, 1, tzinfo=UTC)}, False)})
    held("2026-09", {"Marie": (YES, True)}, doors_closed_at=None)
    held("2026-10", {"Marie": (YES, True)}, status="cancelled")
    found = of("Marie")
    assert [dot.mark for dot in found.dots] == ["came", "excused", "absent", "silent", "came", "came", "excused"]
    assert found.dots[2].text == "Rencontre 2026-03, samedi 14 mars 2026\u00a0: absent sans prévenir"
    assert [(each.mark, each.label, each.count) for each in found.legend] == [
        ("came", "venu", 3),
        ("excused", "excusé", 2),
        ("absent", "absent sans prévenir", 1),
        ("silent", "sans réponse", 1),
    ]
    assert (of("Paul").dots, of("Paul").seasons) == ((), ())


def test_the_month_stands_under_a_meeting_with_its_year_where_that_is_new() -> None:
    for month in ("2025-11", "2025-12", "2026-01", "2026-02"):
        held(month, {"Marie": (YES, True)})
    assert [dot.month for dot in of("Marie").dots] == ["nov. 25", "déc.", "janv. 26", "févr."]


def test_the_last_twelve_are_shown_and_every_season_counts_from_september_to_august() -> None:
    for number in range(15):
        year, month = divmod(number + 5, 12)
        held(f"{2025 + year}-{month + 1:02}", {"Marie": (YES, number >= 3)})
    assert marks("Marie") == ["came"] * 12
    assert marks("Marie", last=13) == ["absent", *["came"] * 12]
    assert of("Marie").seasons == (
        "2025-2026\u00a0: venu 12 fois sur 12",
        "2024-2025\u00a0: venu 0 fois sur 3, absent sans prévenir\u00a03",
    )


def test_any_number_of_members_takes_two_statements_at_most() -> None:
    held("2026-01", {"Marie": (YES, True), "Paul": (YES, False)})
    with reading() as session, counted() as statements:
        presence.list_presence(session, HELENE, [each.id for each in members.values()])
    assert len(statements) <= 2


def test_the_table_has_a_line_for_each_member_and_meeting() -> None:
    held("2026-01", {"Marie": (YES, True), "Paul": (SILENT, False)})
    held("2026-09", {"Marie": (NO, False)})
    with reading() as session:
        made = presence.export_csv(session, HELENE)
    rows = list(csv.reader(io.StringIO(made.content.decode("utf-8-sig")), delimiter=";"))
    assert [[row[0], row[2], row[4], row[5]] for row in rows[1:]] == [
        ["Marie", "2025-2026", "Rencontre 2026-01", "venu"],
        ["Marie", "2026-2027", "Rencontre 2026-09", "excusé"],
        ["Paul", "2025-2026", "Rencontre 2026-01", "sans réponse"],
    ]
