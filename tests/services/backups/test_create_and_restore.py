"""A backup brings the whole club back, on either engine, and sends nothing again (R8)."""

import hashlib
import itertools
import json
import os
import threading
import zipfile
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select
from sqlmodel import col

from clubapp import clock, migrations, tokens
from clubapp.database import reading, transaction
from clubapp.doctor.act_chain_check import ChainCheck
from clubapp.infra import image_store
from clubapp.mail.queue import pause
from clubapp.models import Member, OutboxMail
from clubapp.refusals import Conflict, Invalid
from clubapp.services import backups
from clubapp.services.base import audit
from clubapp.services.base.actors import SYSTEM
from clubapp.settings import settings
from tests.factories import add_admin, add_event, add_member, add_reservation
from tests.services.backups.club_copies import ENGINES, Move, load_club, make_schema, pictures, rows
from tests.stores import s3, store

__all__ = ["s3", "store"]


@pytest.mark.parametrize("source", ENGINES)
@pytest.mark.parametrize("target", ENGINES)
def test_everything_comes_back_on_either_engine(move: Move, file: Path, source: str, target: str) -> None:
    move(source)
    load_club()
    before, shown = rows(), pictures()
    made = backups.make_backup(file)
    move(target)
    done = backups.restore(file)
    after = rows()
    assert [held["by"] for held in after.pop("mail_pause")] == [pause.RESTORED]
    assert before.pop("mail_pause") == []
    assert after == before
    assert pictures() == shown
    assert (made.rows, made.pictures) == (done.contents.rows, len(shown))
    assert done.has_key
    assert migrations.describe_pending() == ""


def test_only_its_owner_reads_it_and_any_tool_can_check_it(move: Move, file: Path, tmp_path: Path) -> None:
    move("sqlite")
    load_club()
    backups.make_backup(file)
    assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.glob("*.zip*")] == ["club.zip"]
    with zipfile.ZipFile(file) as opened:
        assert not [name for name in opened.namelist() if "key" in name]
        for line in opened.read("SHA256SUMS").decode().splitlines():
            told, _, name = line.partition("  ")
            assert hashlib.sha256(opened.read(name)).hexdigest() == told


def spoil(file: Path, how: str) -> None:
    """Damage an archive in one way."""
    if how == "a byte":
        content = bytearray(file.read_bytes())
        with zipfile.ZipFile(file) as opened:
            place = opened.getinfo("tables/members.jsonl").header_offset
        content[place + 80] ^= 0xFF
        file.write_bytes(content)
    elif how == "its end":
        os.truncate(file, file.stat().st_size - 100)
    elif how == "something else":
        file.write_text("not an archive")
    else:
        with zipfile.ZipFile(file) as opened:
            parts = {name: opened.read(name) for name in opened.namelist()}
        changed = {
            "a changed row": {"tables/members.jsonl": parts["tables/members.jsonl"].replace(b"a", b"b")},
            "a part too many": {"tables/more.jsonl": b"{}\n"},
            "a strange path": {"media/../../secret.key": b"x"},
        }[how]
        with zipfile.ZipFile(file, "w") as opened:
            for name, content in (parts | changed).items():
                opened.writestr(name, content)


def test_a_damaged_archive_is_refused_and_nothing_is_written(move: Move, file: Path) -> None:
    move("sqlite")
    load_club()
    backups.make_backup(file)
    whole, before = file.read_bytes(), (rows(), pictures())
    for how in ("a byte", "its end", "something else", "a changed row", "a part too many", "a strange path"):
        file.write_bytes(whole)
        spoil(file, how)
        with pytest.raises(Invalid, match=r"endommagée|n’est pas une sauvegarde"):
            backups.restore(file, force=True)
        assert (rows(), pictures()) == before, how


@pytest.mark.parametrize("engine", ENGINES)
def test_a_club_is_replaced_only_when_told(move: Move, file: Path, engine: str) -> None:
    move("sqlite")
    load_club()
    before = rows()
    backups.make_backup(file)
    move(engine)
    make_schema()
    with transaction() as session:
        add_reservation(session, add_event(session), add_member(session, name="Quelqu’un d’autre"))
    with pytest.raises(Conflict, match="déjà un club"):
        backups.restore(file)
    with reading() as session:
        assert session.scalars(select(col(Member.name))).all() == ["Quelqu’un d’autre"]
    assert pictures() == {}
    backups.restore(file, force=True)
    assert rows() | {"mail_pause": []} == before


def test_the_journal_of_a_backup_is_not_taken_for_one_that_was_cut_off(move: Move, file: Path) -> None:
    """Fails when the end of the chain that was seen before the restoration is still expected after it (T1)."""
    move("sqlite")
    load_club()
    backups.make_backup(file)
    with transaction() as session:
        audit.record(session, SYSTEM, "mail.paused")
    ChainCheck().run()
    backups.restore(file, force=True)
    assert "mail.paused" not in {row["action"] for row in rows()["acts"]}
    ChainCheck().run()


def forge(file: Path, what: str) -> None:
    """Change what an archive holds, with the right checksums."""
    with zipfile.ZipFile(file) as opened:
        parts = {name: opened.read(name) for name in opened.namelist() if name != "SHA256SUMS"}
    about = json.loads(parts["backup.json"])
    members = "tables/members.jsonl"
    first, *others = parts[members].splitlines(keepends=True)
    row = json.loads(first)
    if what == "names no table":
        about["rows"] = {}
        parts = {name: content for name, content in parts.items() if not name.startswith("tables/")}
    elif what == "names one table less":
        del about["rows"]["mail_outbox"], parts["tables/mail_outbox.jsonl"]
    elif what == "names a strange table":
        about["rows"]["nonsense"], parts["tables/nonsense.jsonl"] = 1, b"{}\n"
    elif what == "has no zone":
        about["made_at"] = about["made_at"].removesuffix("+00:00")
    elif what == "has no schema":
        about["schema"] = None
    else:
        changed = {
            "a row less": [],
            "an instant that is none": [json.dumps(row | {"created_at": "hier"})],
            "no value for a column": [json.dumps({name: row[name] for name in row if name != "name"})],
            "a value that is none": [json.dumps(row | {"name": {"a": 1}})],
            "a company of nobody": [json.dumps(row | {"company_id": "nobody"})],
            "a list": ["[1]"],
            "no JSON": ["{{"],
        }[what]
        parts[members] = b"".join([*(f"{line}\n".encode() for line in changed), *others])
    parts["backup.json"] = json.dumps(about).encode()
    with zipfile.ZipFile(file, "w") as opened:
        for name, content in parts.items():
            opened.writestr(name, content)
        opened.writestr("SHA256SUMS", "".join(f"{hashlib.sha256(parts[name]).hexdigest()}  {name}\n" for name in parts))


@pytest.mark.parametrize("engine", ENGINES)
def test_an_archive_that_does_not_hold_what_it_says_takes_no_club_away(move: Move, file: Path, engine: str) -> None:
    """Fails when a summary without tables empties the club: its checksums are right (R8)."""
    move(engine)
    load_club()
    backups.make_backup(file)
    whole, before = file.read_bytes(), (rows(), pictures())
    refused_by_the_engine = ("no value for a column", "a value that is none", "a company of nobody")
    refused_before = (
        *("names no table", "names one table less", "names a strange table", "has no zone", "has no schema"),
        *("a row less", "an instant that is none", "a list", "no JSON"),
    )
    for what in (*refused_by_the_engine, *(refused_before if engine == "sqlite" else ())):
        file.write_bytes(whole)
        forge(file, what)
        with pytest.raises(Invalid, match="endommagée"):
            backups.restore(file, force=True)
        assert (rows(), pictures()) == before, what


def test_a_restoration_that_fails_leaves_everything_as_it_was(
    move: Move, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    move("sqlite")
    load_club()
    backups.make_backup(file)
    move("sqlite")
    make_schema()
    with transaction() as session:
        add_admin(session)
    before = rows()
    monkeypatch.setattr(clock, "short_date", lambda _: 1 / 0)  # the last thing said
    with pytest.raises(ZeroDivisionError):
        backups.restore(file, force=True)
    assert rows() == before
    assert pictures() == {}


def test_the_key_travels_only_when_asked_for(
    move: Move, file: Path, environment: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    environment.delenv("CLUB_SECRET_KEY")
    move("sqlite")
    load_club()
    key = settings().keys
    backups.make_backup(file)
    move("sqlite")
    assert not backups.restore(file).has_key
    assert settings().keys != key
    move("sqlite")
    settings().data_dir.mkdir(exist_ok=True)
    settings().key_file.write_text(f"newer,{key[0]}")
    assert backups.restore(file).has_key
    move("sqlite")
    load_club()
    backups.make_backup(file, with_key=True)
    kept = settings().keys
    move("sqlite")
    assert backups.restore(file).has_key
    assert settings().keys == kept
    assert settings().key_file.stat().st_mode & 0o777 == 0o600


def test_a_link_that_was_mailed_still_leads_to_its_answer(move: Move, file: Path) -> None:
    move("sqlite")
    make_schema()
    with transaction() as session:
        reservation, token = add_reservation(session, add_event(session), add_member(session))
    backups.make_backup(file)
    move("postgres")
    backups.restore(file)
    kept = next(row for row in rows()["event_reservations"] if row["id"] == reservation.id)["response_token"]
    assert tokens.fingerprint(token) == kept
    assert tokens.rebuild("answer", reservation.id, kept) == token


@pytest.mark.parametrize("engine", ENGINES)
def test_a_backup_shows_one_instant_while_people_write(move: Move, file: Path, engine: str) -> None:
    """Fails without one snapshot for all tables: a reservation would come without its member, or a member without."""
    move(engine)
    make_schema()
    with transaction() as session:
        event_id = add_event(session).id
    stopping, wrote = threading.Event(), threading.Event()

    def write() -> None:
        number = 0
        while not stopping.is_set():
            number += 1
            with transaction() as session:
                member = Member(name=f"M{number}", created_at=clock.now(), updated_at=clock.now())
                session.add(member)
                session.flush()
                now = clock.now()
                mail = OutboxMail(key=f"k{number}", kind="test", member_id=member.id, event_id=event_id)
                mail.available_at = mail.created_at = mail.updated_at = now
                session.add(mail)
            wrote.set()

    writer = threading.Thread(target=write)
    writer.start()
    wrote.wait(10)
    try:
        for _ in range(3):
            made = backups.make_backup(file)
            assert made.rows["members"] == made.rows["mail_outbox"] > 0
    finally:
        stopping.set()
        writer.join()
    assert len(rows()["members"]) > made.rows["members"]
    move(ENGINES[engine == "sqlite"])
    backups.restore(file)
    assert {name: len(held) for name, held in rows().items()} == made.rows | {"mail_pause": 1}


@pytest.mark.parametrize("engine", ENGINES)
def test_every_picture_the_rows_name_is_in_it_while_people_change_theirs(move: Move, file: Path, engine: str) -> None:
    """Fails when the rows are read first: a picture they name may be removed before it is copied."""
    move(engine)
    make_schema()

    def chosen(member: Member) -> str:
        """A new picture for someone; the path of the former one."""
        before, member.image_url = (
            member.image_url,
            image_store.address(image_store.save("avatars", os.urandom(100_000))),
        )
        return image_store.path_in(before)

    with transaction() as session:
        people = [add_member(session, f"M{number}", f"m{number}@club.example") for number in range(60)]
        for member in people:
            chosen(member)
    stopping = threading.Event()

    def change() -> int:
        count = 0
        for member in itertools.cycle(people):
            count += 1
            with transaction() as session:
                former = chosen(session.get_one(Member, member.id))
            image_store.delete(former)
            if stopping.wait(0.05):
                break
        return count

    with ThreadPoolExecutor(1) as pool:
        changes = pool.submit(change)
        try:
            made = [backups.make_backup(file.with_name(f"club-{number}.zip")) for number in range(2)]
        finally:
            stopping.set()
        assert changes.result() > len(made)
    for number, contents in enumerate(made):
        move(ENGINES[engine == "sqlite"])
        backups.restore(file.with_name(f"club-{number}.zip"), force=True)
        named = {image_store.path_in(row["image_url"]) for row in rows()["members"]}
        assert len(named) == len(people)
        assert named <= set(pictures())
        assert contents.pictures >= len(people)


def test_a_backup_of_the_first_schema_is_brought_up_to_date(move: Move, file: Path) -> None:
    move("sqlite")
    with transaction() as session:
        migrations.migrate_connection(session.connection(), "0001")
        now = clock.now()
        session.connection().exec_driver_sql(
            "INSERT INTO events (id, title, date, month, location, has_lunch, status, invitation_sent, created_by,"
            " created_at, updated_at) VALUES ('e1', 'Matinale', ?, ?, 'Lens', TRUE, 'confirmed', TRUE, '', ?, ?)",
            (
                f"{now + timedelta(days=1):%Y-%m-%d %H:%M:%S.%f}",
                clock.month_of(now),
                *[f"{now:%Y-%m-%d %H:%M:%S.%f}"] * 2,
            ),
        )
    backups.make_backup(file)
    move("postgres")
    done = backups.restore(file)
    assert done.contents.schema == "0001"
    assert migrations.describe_pending() == ""
    (event,) = rows()["events"]
    assert (event["title"], event["sequence"], event["date"]) == ("Matinale", 0, now + timedelta(days=1))
    assert {row["state"] for row in rows()["planned_mailings"]} == {"missed"}


def test_a_backup_of_a_later_program_is_refused(move: Move, file: Path) -> None:
    move("sqlite")
    make_schema()
    with transaction() as session:
        session.connection().exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    backups.make_backup(file)
    move_to = pytest.raises(Invalid, match="programme plus récent")
    with move_to:
        backups.restore(file, force=True)
    with transaction() as session:
        session.connection().exec_driver_sql(
            f"UPDATE alembic_version SET version_num = '{migrations.newest_revision()}'"
        )


def test_pictures_travel_between_a_folder_and_a_service(store: str, move: Move, file: Path) -> None:
    move("sqlite")
    make_schema()
    path = image_store.save("avatars", b"\xff\xd8 a face")
    backups.make_backup(file)
    image_store.delete(path)
    backups.restore(file)
    assert image_store.read(path) == b"\xff\xd8 a face"
