"""The journal of acts is chained, stays as it was written, and outlives the people it names (T1)."""

import threading
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DatabaseError
from sqlmodel import Session, select

from clubapp import clock
from clubapp.database import commit_with_retry, reading, transaction
from clubapp.doctor.act_chain_check import ChainCheck
from clubapp.doctor.check import CheckProblem
from clubapp.models import Act, ActChain, ActChanges, ActPerson, Admin, FormerAuditEntry, Member
from clubapp.services.base import act_chain, audit, former_acts, seen_acts
from clubapp.services.base.act_chain import BrokenChain
from clubapp.services.base.actors import SYSTEM, Actor, command_actor
from clubapp.services.members import editing
from clubapp.services.privacy import retention
from tests.factories import add_admin, add_member

HELENE = Actor(email="helene@club.example", is_admin=True, session_id="session-1")
TRIGGERS = {
    "sqlite": ("DROP TRIGGER {}_no_update", "DROP TRIGGER {}_no_delete"),
    "postgres": ("SET LOCAL session_replication_role = replica",),
}


def act(count: int = 1) -> None:
    for _ in range(count):
        with transaction() as session:
            audit.record(session, HELENE, "mail.paused")


def acts() -> list[Act]:
    with reading() as session:
        return list(session.exec(select(Act).order_by(Act.number)))  # pyright: ignore[reportArgumentType]


def break_in(engine: str, *statements: str) -> None:
    """Do what only whoever owns the database can."""
    with transaction() as session:
        for table in ("acts", "act_changes"):
            for statement in TRIGGERS[engine]:
                session.connection().execute(text(statement.format(table)))
        for statement in statements:
            session.connection().execute(text(statement))


@pytest.fixture
def tamper(club: str, migrated_sqlite: object) -> Callable[..., None]:
    return lambda *statements: break_in(club, *statements)


def verify() -> ActChain:
    with reading() as session:
        return act_chain.verify(session)


def test_entries_are_numbered_and_chained_in_one_order(club: str) -> None:
    act(3)
    first, second, third = acts()
    assert [entry.number for entry in (first, second, third)] == [1, 2, 3]
    assert (first.previous_hash, second.previous_hash, third.previous_hash) == ("", first.entry_hash, second.entry_hash)
    assert (verify().number, verify().entry_hash) == (3, third.entry_hash)


def test_what_was_verified_is_not_read_again_for_a_day(club: str, tamper: Callable[..., None]) -> None:
    """Fails when a screen that looks again and again reads the whole journal each time."""
    check = ChainCheck()
    act(3)
    assert "acte n°\u00a03" in check.run()
    tamper("UPDATE acts SET detail = '{}', action = 'mail.resumed' WHERE number = 1")
    act(2)
    assert "acte n°\u00a05" in check.run()
    with pytest.raises(CheckProblem, match="acte n°\u00a01"):
        ChainCheck().run()
    with transaction() as session:
        session.connection().execute(text("UPDATE act_chain SET number = 9"))
    with pytest.raises(CheckProblem, match="acte n°\u00a01"):  # once in doubt, it reads the whole
        check.run()
    with pytest.raises(CheckProblem):
        check.run()


def test_acts_of_one_instant_keep_their_order(club: str, at: Callable[[str], datetime]) -> None:
    at("2026-11-20T10:00")
    codes = ["mail.paused", "mail.resumed"] * 4
    with transaction() as session:
        for code in codes:
            audit.record(session, HELENE, code)
    assert [entry.action for entry in acts()] == codes
    assert verify().number == len(codes)


def test_acts_at_once_make_one_chain(club: str) -> None:
    """Fails when two transactions read the same end of the chain."""
    many = [threading.Thread(target=act, args=(5,)) for _ in range(6)]
    for thread in many:
        thread.start()
    for thread in many:
        thread.join()
    assert verify().number == 30


def test_what_is_rolled_back_leaves_neither_an_entry_nor_a_gap(club: str) -> None:
    def fail(session: Session) -> None:
        audit.record(session, HELENE, "mail.paused")
        raise RuntimeError

    act()
    with pytest.raises(RuntimeError), transaction() as session:
        fail(session)
    with transaction() as session:
        with pytest.raises(RuntimeError), session.begin_nested():
            fail(session)
        audit.record(session, HELENE, "mail.resumed")
    assert [entry.action for entry in acts()] == ["mail.paused", "mail.resumed"]
    assert verify().number == 2


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE acts SET action = 'sign_in'",
        "UPDATE acts SET number = NULL",
        "DELETE FROM acts",
        "UPDATE act_changes SET content = '{}'",
        "DELETE FROM act_changes",
    ],
)
def test_the_database_refuses_to_change_or_delete_an_act(club: str, statement: str) -> None:
    with transaction() as session:
        add_member(session, id="m1")
        audit.record(session, HELENE, "member.updated", "m1", changes={"role": ("Gérante", "Présidente")})
    with pytest.raises(DatabaseError, match="an act is never"), transaction() as session:
        session.connection().execute(text(statement))
    assert verify().number == 1


def test_sqlite_replaces_no_act(club: str) -> None:
    act()
    if club == "sqlite":
        with pytest.raises(DatabaseError, match="never replaced"), transaction() as session:
            session.connection().execute(text("INSERT OR REPLACE INTO acts SELECT * FROM acts"))


@pytest.mark.parametrize(
    ("statement", "number", "says"),
    [
        ("UPDATE acts SET action = 'sign_out' WHERE number = 2", 2, "contenu a changé"),
        ("UPDATE acts SET actor_id = 'other' WHERE number = 3", 3, "contenu a changé"),
        ("UPDATE acts SET at = '2020-01-01 10:00:00' WHERE number = 1", 1, "contenu a changé"),
        ("DELETE FROM acts WHERE number = 1", 1, "manque"),
        ("DELETE FROM acts WHERE number = 2", 2, "manque"),
        ("DELETE FROM acts WHERE number = 4", 4, "manque"),
        ("DELETE FROM acts", 1, "manque"),
        ("UPDATE act_changes SET content = '{\"role\": [1, 2]}'", 4, "valeurs ont changé"),
        ("DELETE FROM act_changes", 4, "valeurs ont disparu"),
    ],
)
def test_a_changed_or_missing_entry_is_found(
    tamper: Callable[..., None], statement: str, number: int, says: str
) -> None:
    act(3)
    with transaction() as session:
        add_member(session, id="m1")
        audit.record(session, HELENE, "member.updated", "m1", changes={"role": ("Gérante", "Présidente")})
    assert verify().number == 4
    before = "DELETE FROM act_changes; " if statement == "DELETE FROM acts" else ""
    tamper(*filter(None, [before.strip("; "), statement]))
    with pytest.raises(BrokenChain, match=says) as found:
        verify()
    assert found.value.number == number


CUT_AFTER_3 = (
    "DELETE FROM acts WHERE number > 3",
    "UPDATE act_chain SET number = 3, entry_hash = (SELECT entry_hash FROM acts WHERE number = 3)",
)


def looked_at() -> str:
    """What a look says that remembers nothing but the file."""
    return ChainCheck().run()


def test_acts_cut_off_at_the_end_are_found_by_whoever_saw_them(tamper: Callable[..., None]) -> None:
    """The database alone is consistent again: fails when nothing outside it is asked."""
    act(5)
    check = ChainCheck()
    assert "acte n°\u00a05" in check.run()
    tamper(*CUT_AFTER_3)
    assert verify().number == 3
    for run in (check.run, looked_at, looked_at):
        with pytest.raises(CheckProblem, match="acte n°\u00a04\u00a0: il manque, comme la suite jusqu’au n°\u00a05"):
            run()
    act(4)  # what grows over the gap does not hide it
    with pytest.raises(CheckProblem, match="acte n°\u00a05\u00a0: un autre a pris la place"):
        looked_at()


def test_a_beginning_that_was_cut_off_before_its_time_is_found(
    tamper: Callable[..., None], at: Callable[[str], datetime]
) -> None:
    """All of the database agrees with itself: the row of the chain says that it begins later."""
    now = clock.now()

    def go_to(days: int) -> None:
        at((now + timedelta(days=days)).replace(tzinfo=None).isoformat())

    for days in (-400, -300, -200):
        go_to(days)
        act()
        looked_at()
    go_to(0)
    with transaction() as session:
        retention.erase_expired_acts(session)
    assert [each.number for each in acts()] == [2, 3]
    act()
    looked_at()
    tamper(
        "UPDATE act_chain SET kept_from = 4, kept_after = (SELECT entry_hash FROM acts WHERE number = 3)",
        "DELETE FROM acts WHERE number < 4",
    )
    assert verify().kept_from == 4
    with pytest.raises(CheckProblem, match="délai de conservation"):
        looked_at()
    go_to(200)
    looked_at()


def test_a_whole_new_chain_is_found(tamper: Callable[..., None]) -> None:
    act(2)
    looked_at()
    tamper("DELETE FROM acts", "UPDATE act_chain SET number = 0, entry_hash = ''")
    act(3)
    assert verify().number == 3
    with pytest.raises(CheckProblem, match="acte n°\u00a02\u00a0: un autre"):
        looked_at()


@pytest.mark.parametrize("more", [0, 2], ids=["the last one gone was seen", "one before it was seen"])
def test_acts_that_are_past_their_time_are_not_missed(club: str, at: Callable[[str], datetime], more: int) -> None:
    now = clock.now().replace(tzinfo=None)
    at((now - timedelta(days=400)).isoformat())
    act(2)
    looked_at()
    act(more)
    at(now.isoformat())
    act()
    with transaction() as session:
        retention.erase_expired_acts(session)
    assert verify().kept_from == 3 + more
    assert "intacte" in looked_at()


def test_the_file_of_the_end_is_of_its_user_alone_and_may_be_lost(club: str) -> None:
    act()
    looked_at()
    assert seen_acts.file().stat().st_mode & 0o777 == 0o600
    for damage in ("", "[]", '{"number": 1}'):
        seen_acts.file().write_text(damage)
        assert "intacte" in looked_at()
    seen_acts.forget_end()
    assert "intacte" in looked_at()


def test_acts_go_after_a_year_and_what_remains_is_whole(club: str, at: Callable[[str], datetime]) -> None:
    at((clock.now() - timedelta(days=400)).replace(tzinfo=None).isoformat())
    act(2)
    at((clock.now() + timedelta(days=100)).replace(tzinfo=None).isoformat())
    act(2)
    at((clock.now() + timedelta(days=300)).replace(tzinfo=None).isoformat())
    with transaction() as session:
        retention.erase_expired_acts(session)
    assert [entry.number for entry in acts()] == [3, 4]
    assert verify().kept_from == 3
    act()
    assert verify().number == 5


def test_a_chain_that_lost_its_first_entry_another_way_is_broken(tamper: Callable[..., None]) -> None:
    act(2)
    tamper("DELETE FROM acts WHERE number = 1", "UPDATE act_chain SET kept_from = 2")
    with pytest.raises(BrokenChain):
        verify()


def test_an_erased_member_stays_in_the_journal_as_a_pseudonym(club: str) -> None:
    with transaction() as session:
        add_admin(session, HELENE.email)
        marie = add_member(session, name="Marie", email="marie@club.example", phone="03 20 00 00 00")
    person = Actor(email="marie@club.example", member_id=marie.id)
    with transaction() as session:
        before = audit.read_columns(marie)
        audit.record(session, person, "profile.updated", marie.id, changes={"phone": (before["phone"], "06")})
        audit.record(session, person, "sign_in", "session-2")
    signed = {entry.actor_id for entry in acts()}
    with transaction() as session:
        editing.delete(session, HELENE, marie.id)
    with reading() as session:
        assert [person.email for person in session.exec(select(ActPerson).where(ActPerson.id.in_(signed)))] == [None]  # pyright: ignore[reportAttributeAccessIssue]
        assert session.exec(select(ActChanges)).all() == []
        stored = " ".join(str(row) for table in (Act, ActPerson) for row in session.exec(select(table)))
        assert "marie@" not in stored
    assert [entry.actor_id for entry in acts()][:2] == [*signed, *signed]
    assert verify().number == 3


def test_who_comes_back_after_an_erasure_is_somebody_else(club: str) -> None:
    with transaction() as session:
        first = audit.find_person(session, "marie@club.example")
        session.get_one(ActPerson, first).email = None
    with transaction() as session:
        assert audit.find_person(session, "marie@club.example") != first


def test_an_administrator_who_was_also_a_member_keeps_their_acts(club: str) -> None:
    with transaction() as session:
        add_admin(session, HELENE.email)
        member = add_member(session, email=HELENE.email)
        audit.record(session, HELENE, "mail.paused")
    with transaction() as session:
        editing.delete(session, HELENE, member.id)
    with reading() as session:
        assert session.exec(select(ActPerson.email)).all() == [HELENE.email]


def test_an_entry_says_who_from_which_session_and_to_what(club: str) -> None:
    def record(session: Session) -> None:
        audit.record(session, HELENE, "admin.add", "lea@club.example")
        audit.record(session, command_actor(), "admin.add", "lea@club.example")
        audit.record(session, SYSTEM, "place.offered", "r1", until="x")

    commit_with_retry(record)
    by_kind = {entry.actor_kind: entry for entry in acts()}
    with reading() as session:
        people = {person.id: person.email for person in session.exec(select(ActPerson))}
    assert set(by_kind) == {"admin", "command", "program"}
    assert (people[by_kind["admin"].actor_id], by_kind["admin"].session_id) == (HELENE.email, "session-1")
    assert (by_kind["command"].actor_id, by_kind["command"].operator) == ("", command_actor().operator)
    assert people[by_kind["admin"].subject] == "lea@club.example"
    assert by_kind["program"].subject_kind == "reservation"


def test_no_secret_and_no_technical_value_is_recorded(club: str) -> None:
    with transaction() as session:
        columns = audit.read_columns(add_member(session, name="Marie"))
    assert columns["name"] == "Marie"
    assert not {"id", "created_at", "updated_at", "directory_place"} & set(columns)
    assert audit.compare({"a": 1, "b": None, "c": 2}, {"a": 1, "b": "", "c": 3}) == {"c": (2, 3)}


def test_what_the_version_before_wrote_is_taken_over_once(club: str) -> None:
    with transaction() as session:
        session.add(Admin(email="old@club.example", created_at=clock.now()))
        for actor, action in (("old@club.example", "mail.paused"), ("system", "place.offered"), ("ancien membre", "x")):
            session.add(FormerAuditEntry(at=clock.now(), actor=actor, action=action, subject="s", detail={"n": 1}))
    for expected in (3, 0):
        with transaction() as session:
            assert former_acts.adopt_former_acts(session) == expected
    with reading() as session:
        assert session.exec(select(FormerAuditEntry)).all() == []
        assert session.exec(select(ActPerson.email)).all() == ["old@club.example"]
    assert {entry.action: entry.actor_kind for entry in acts()} == {
        "mail.paused": "admin",
        "place.offered": "program",
        "x": "member",
    }
    assert verify().number == 3


def test_a_member_who_is_deleted_takes_no_other_values_along(club: str) -> None:
    """The values of somebody who is still a member cannot be deleted, whoever asks the database."""
    with transaction() as session:
        gone, stays = add_member(session, email="a@club.example"), add_member(session, email="b@club.example")
        for member in (gone, stays):
            audit.record(session, HELENE, "member.updated", member.id, changes={"role": ("a", "b")})
    with transaction() as session:
        add_admin(session, HELENE.email)
        editing.delete(session, HELENE, gone.id)
    with reading() as session:
        assert len(session.exec(select(ActChanges)).all()) == 1
        assert session.get(Member, stays.id)
