"""A restored backup does not bring back whoever was erased since it was made (P2; R8)."""

from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import select

from clubapp import clock, tokens
from clubapp.database import reading, transaction
from clubapp.mail.messages.guest_notice import PURPOSE
from clubapp.models import ErasedPerson, EventGuest, Member, OutboxMail
from clubapp.services import backups
from clubapp.services.answers import guest_link
from clubapp.services.base import act_chain
from clubapp.services.base.actors import SYSTEM, Actor
from clubapp.services.members import editing
from clubapp.services.privacy import erased_people, request_answers, rights_requests
from clubapp.settings import settings
from tests.conftest import forget_settings
from tests.factories import add_admin, add_event, add_guest, add_member, add_reservation
from tests.services.backups.club_copies import ENGINES, Move, make_schema

HELENE = Actor("helene@beffroi.example", is_admin=True, session_id="h")


@pytest.fixture
def guest(move: Move, file: Path, request: pytest.FixtureRequest) -> str:
    """A backup of three members, of whom one has asked to be erased, and a guest; the guest's id."""
    move(request.param)
    make_schema()
    with transaction() as session:
        add_admin(session, HELENE.email)
        who = ("asking", "leaving", "staying")
        asking, _, staying = (add_member(session, name, f"{name}@x.example") for name in who)
        event = add_event(session)
        row, _ = add_reservation(session, event, staying, will_attend=True, guest_count=1)
        add_guest(session, event, row.id, 1, name="Zoé Lys", email="zoe@lys.example")
        rights_requests.request_right(session, Actor("asking@x.example", member_id=asking.id), "erasure")
        guest_id = session.exec(select(EventGuest.id)).one()
    backups.make_backup(file)
    return guest_id


def erase(guest_id: str) -> None:
    """One at their request, one without, and the guest by their own link."""
    with transaction() as session:
        (asked,) = rights_requests.list_open(session, HELENE)
        request_answers.answer_request(session, HELENE, asked.id, "done", "")
        editing.delete(session, SYSTEM, session.exec(select(Member.id).where(Member.name == "leaving")).one())
        guest_link.erase(session, guest_id, tokens.derive(PURPOSE, guest_id))


def names() -> list[str]:
    with reading() as session:
        return sorted([*session.exec(select(Member.name)), *session.exec(select(EventGuest.name))])


@pytest.mark.parametrize("guest", ENGINES, indirect=True)
def test_who_was_erased_since_is_erased_again_and_told_nothing_twice(guest: str, file: Path) -> None:
    erase(guest)
    assert names() == ["staying"]
    done = backups.restore(file, force=True)
    assert (done.erased_again, names()) == (3, ["staying"])
    with reading() as session:
        assert session.exec(select(OutboxMail).where(OutboxMail.kind == "rights_answered")).all() == []
        assert rights_requests.list_open(session, HELENE) == ()
        act_chain.verify(session)
        assert len(session.exec(select(ErasedPerson)).all()) == 3


@pytest.mark.parametrize("guest", ["sqlite"], indirect=True)
def test_who_was_deleted_by_mistake_can_be_had_back_but_not_who_asked(guest: str, file: Path) -> None:
    erase(guest)
    done = backups.restore(file, force=True, keep_deleted=True)
    assert (done.erased_again, names()) == (2, ["leaving", "staying"])
    later = file.with_name("later.zip")
    backups.make_backup(later)
    assert backups.restore(later, force=True).erased_again == 0
    assert names() == ["leaving", "staying"]


@pytest.mark.parametrize("guest", ["sqlite"], indirect=True)
@pytest.mark.parametrize("where", ["data", "backups"])
def test_the_list_outlives_the_database(
    guest: str, file: Path, move: Move, environment: pytest.MonkeyPatch, where: str
) -> None:
    if where == "backups":
        environment.setenv("CLUB_BACKUP_DIR", str(file.parent))
        forget_settings()
    erase(guest)
    beside = settings().data_dir / erased_people.FILE
    assert beside.stat().st_mode & 0o777 == 0o600
    assert "@" not in beside.read_text()
    assert guest not in beside.read_text()
    kept = beside.read_text()
    move("sqlite")  # a new machine, to which only the backups came, or the data without the database
    if where == "data":
        settings().data_dir.mkdir(exist_ok=True)
        (settings().data_dir / erased_people.FILE).write_text(kept)
    assert backups.restore(file).erased_again == 3
    assert (settings().data_dir / erased_people.FILE).read_text() == kept


@pytest.mark.parametrize("guest", ["sqlite"], indirect=True)
def test_a_file_that_was_lost_or_spoilt_is_written_again(guest: str, caplog: pytest.LogCaptureFixture) -> None:
    erase(guest)
    caplog.set_level("INFO")
    beside = settings().data_dir / erased_people.FILE
    kept = beside.read_text()
    beside.write_text("not a line\n")
    erased_people.copy_beside()
    assert beside.read_text() == kept
    assert f"{beside}: lines that name nobody, and go: 1" in caplog.messages


@pytest.mark.parametrize("guest", ["sqlite"], indirect=True)
def test_a_list_that_cannot_be_copied_is_told_in_a_french_line(
    guest: str, file: Path, environment: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A restoration shows it on the command line."""
    in_the_way = file.with_name("in-the-way")
    in_the_way.touch()
    environment.setenv("CLUB_BACKUP_DIR", str(in_the_way))
    forget_settings()
    erase(guest)
    assert set(caplog.messages) == {
        "La liste des personnes effacées n’a pas été copiée (un fichier y tient la place d’un dossier)\u00a0; "
        "le site réessaie à chaque heure."
    }
    assert [record.exc_info for record in caplog.records if record.exc_info] == []


DIGEST = "0" * 64


@pytest.mark.parametrize("guest", ["sqlite"], indirect=True)
def test_a_line_of_another_hand_keeps_nobody_from_restoring(guest: str, file: Path) -> None:
    foreign = (
        b"\xff\xfe\x00 no text",
        f"2026-12-01T00:00:00 asked {DIGEST}".encode(),  # no zone
        f"9999-12-31T23:59:59-14:00 asked {DIGEST}".encode(),  # past every year
        f"2026-12-01T00:00:00+00:00 why {DIGEST}".encode(),  # no reason of ours
        b"2026-12-01T00:00:00+00:00 asked " + b"x" * 100_000,  # no digest
    )
    erase(guest)
    beside = settings().data_dir / erased_people.FILE
    kept = beside.read_bytes()
    for place in (beside, file.parent / erased_people.FILE):
        place.write_bytes(b"\n".join((*foreign, kept)))
    done = backups.restore(file, force=True)
    assert (done.erased_again, done.unread_lines) == (3, 2 * len(foreign))
    with reading() as session:
        assert len(session.exec(select(ErasedPerson)).all()) == 3
    assert beside.read_bytes() == kept


@pytest.mark.parametrize("guest", ["sqlite"], indirect=True)
def test_who_came_back_before_the_backup_stays(guest: str, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Erasures before the backup was made do not concern it."""
    with transaction() as session:
        staying = session.exec(select(Member).where(Member.name == "staying")).one()
        before = clock.now() - timedelta(days=1)
        digest = erased_people.digest_of(staying.id)
        erased_people.add_missing(session, [ErasedPerson(digest=digest, erased_at=before, was_asked=True)])
    assert backups.restore(file, force=True).erased_again == 0
