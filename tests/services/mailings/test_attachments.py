"""Files of a mail: kept once, of known kinds, bounded, in every message, and gone when they are due (M15, P3)."""

import io
import zipfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from sqlmodel import select

from clubapp import clock, migrations
from clubapp.database import reading, transaction
from clubapp.mail.messages import mail_kinds
from clubapp.mail.transport import mime
from clubapp.mail.transport.delivery import deliver
from clubapp.models import BroadcastEmail, MailAttachment, OutboxMail, new_id
from clubapp.refusals import Conflict, Forbidden, Invalid, NotFound, TooHeavy
from clubapp.services import backups
from clubapp.services.base.actors import VISITOR, Actor
from clubapp.services.mailings import attachment_kinds, attachments, broadcasts, test_mails, writing
from clubapp.services.mailings.attachment_kinds import MACROS, WRONG_KIND, WRONG_NAME, check_file
from clubapp.services.mailings.writing import WritingForm
from clubapp.services.privacy import data_export, retention
from tests.conftest import on_sqlite
from tests.factories import add_member
from tests.services.backups.club_copies import Move
from tests.smtp_server import Relay

HELENE = Actor(email="helene@beffroi.example", is_admin=True, session_id="s")
PAUL = Actor(email="paul@beffroi.example", is_admin=True, session_id="p")
PDF = b"%PDF-1.7\n" + bytes(range(256)) * 9
PLAN = "Plan d’accès été.pdf"
ICS = b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n"
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 504


def package(*names: str, first: tuple[str, str] | None = None) -> bytes:
    """A ZIP archive of parts of these names."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as opened:
        for name, text in [*([first] if first else []), *((name, "x") for name in names)]:
            opened.writestr(name, text)
    return written.getvalue()


def entry(name: str) -> bytes:
    """An entry of the directory of a document before 2007."""
    return name.encode("utf-16-le").ljust(64, b"\0")


DOCX = package("[Content_Types].xml", "word/document.xml")
ODT = package("content.xml", first=("mimetype", "application/vnd.oasis.opendocument.text"))
TAKEN = {
    "plan.PDF": (PDF, "application/pdf"),
    "photo.jpg": (b"\xff\xd8\xff\xe0", "image/jpeg"),
    "compte rendu.docx": (DOCX, "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    "liste.xlsx": (
        package("[Content_Types].xml", "xl/workbook.xml"),
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ),
    "note.odt": (ODT, "application/vnd.oasis.opendocument.text"),
    "vieux.doc": (OLE + entry("WordDocument") + "Les Macros, c’est fini".encode("utf-16-le"), "application/msword"),
    "rencontre.ics": (ICS, "text/calendar"),
    "lisez-moi.txt": ("Bonjour à tous, ça va\u00a0?".encode("cp1252"), "text/plain"),
}
REFUSED = {
    "jeu.exe": (b"MZ\x90\0", WRONG_KIND),
    "archive.zip": (package("a.txt"), WRONG_KIND),
    "page.html": (b"<script>1</script>", WRONG_KIND),
    "dessin.svg": (b"<svg/>", WRONG_KIND),
    "script.bat": (b"del *.*", WRONG_KIND),
    "facture.pdf.exe": (PDF, WRONG_KIND),
    "sans_extension": (PDF, WRONG_KIND),
    "classeur.xlsm": (package("[Content_Types].xml", "xl/workbook.xml", "xl/vbaProject.bin"), WRONG_KIND),
    "plan.pdf": (b"MZ\x90\0", WRONG_NAME),
    "rapport.docx": (package("a.txt"), WRONG_NAME),
    "rapport2.docx": (DOCX[:40], WRONG_NAME),
    "texte.txt": (b"MZ\x90\0", WRONG_NAME),
    "agenda.ics": (b"Bonjour", WRONG_NAME),
    "macros.docx": (package("[Content_Types].xml", "word/document.xml", "word/vbaProject.bin"), MACROS),
    "macros.xlsx": (package("[Content_Types].xml", "xl/workbook.xml", "xl/macrosheets/sheet1.xml"), MACROS),
    "macros.odt": (
        package("Basic/Standard/Module1.xml", first=("mimetype", "application/vnd.oasis.opendocument.text")),
        MACROS,
    ),
    "macros.doc": (OLE + entry("WordDocument") + entry("Macros"), MACROS),
    "vide.pdf": (b"", attachment_kinds.EMPTY),
}


@pytest.fixture(autouse=True)
def november(at: Callable[[str], datetime]) -> None:
    at("2026-11-20T10:00")


def attach(broadcast_id: str, name: str = PLAN, content: bytes = PDF, actor: Actor = HELENE) -> str:
    checked = check_file(name, content)
    with transaction() as session:
        attachments.admit_upload(session, actor, broadcast_id)
        return attachments.store_file(session, actor, broadcast_id, checked)


def saved(broadcast_id: str, **typed: str) -> WritingForm:
    given = {"subject": "Le plan", "content": "Bonjour {{PRENOM}}"} | typed
    with transaction() as session:
        return writing.save(session, HELENE, WritingForm(id=broadcast_id, **given))


def send(broadcast_id: str) -> None:
    with transaction() as session:
        broadcasts.send_broadcast(session, HELENE, broadcast_id)


def kept() -> list[str]:
    with reading() as session:
        return [row.name for row in session.exec(select(MailAttachment)).all()]


@pytest.mark.parametrize("name", TAKEN)
def test_documents_images_calendars_and_texts_are_taken(name: str) -> None:
    content, media_type = TAKEN[name]
    checked = check_file(name, content)
    assert (checked.name, checked.media_type, checked.size) == (name, media_type, len(content))


@pytest.mark.parametrize("name", REFUSED)
def test_what_runs_or_is_not_what_it_says_is_refused_in_french(name: str) -> None:
    content, sentence = REFUSED[name]
    with pytest.raises(Invalid) as refused:
        check_file(name, content)
    assert refused.value.text == sentence


def test_names_lose_folders_and_what_no_header_may_have() -> None:
    typed = {
        "../../etc/plan.pdf": "plan.pdf",
        "C:\\Temp\\plan.pdf": "plan.pdf",
        'a"b\r\nBcc: x@y.example.pdf': "a b Bcc x@y.example.pdf",
        "\u202efdp.exe.pdf": "fdp.exe.pdf",
        "...pdf": "fichier.pdf",
        "é" * 300 + ".pdf": "é" * 116 + ".pdf",
        "🎄" * 300 + ".pdf": "🎄" * 70 + ".pdf",
    }
    assert {name: attachment_kinds.clean_name(name) for name in typed} == typed


@on_sqlite
def test_ten_files_and_ten_megabytes_in_all(club: str) -> None:
    mail = new_id()
    half = PDF + b"\0" * (attachment_kinds.MOST_BYTES // 2)
    attach(mail, content=half)
    with pytest.raises(TooHeavy):
        attach(mail, content=half)
    for _ in range(9):
        attach(mail)
    with pytest.raises(Conflict, match="10 fichiers"):
        attach(mail)
    with reading() as session:
        shown = attachments.list_files(session, HELENE, mail)
    assert [file.name for file in shown.files][:3] == [PLAN, "Plan d’accès été (2).pdf", "Plan d’accès été (3).pdf"]
    assert shown.total == "5\u00a0Mo sur 10\u00a0Mo"
    with transaction() as session:
        attachments.remove_file(session, HELENE, mail, shown.files[1].id)
    attach(mail, "autre.pdf")
    assert len(kept()) == 10


@on_sqlite
def test_a_draft_that_somebody_else_has_begun_is_theirs_until_it_is_saved(club: str) -> None:
    mail = new_id()
    file = attach(mail)
    with transaction() as session:
        for refused in (
            lambda: attachments.admit_upload(session, PAUL, mail),
            lambda: attachments.list_files(session, PAUL, mail),
            lambda: attachments.remove_file(session, PAUL, mail, file),
            lambda: writing.save(session, PAUL, WritingForm(mail, "", "a", "b")),
            lambda: attachments.admit_upload(session, VISITOR, mail),
        ):
            with pytest.raises(Forbidden):
                refused()
        with pytest.raises(NotFound):
            attachments.admit_upload(session, HELENE, "../x")
        attachments.remove_file(session, HELENE, new_id(), file)
    assert len(kept()) == 1
    saved(mail)
    attach(mail, "autre.pdf", actor=PAUL)
    with transaction() as session:
        add_member(session)
    send(mail)
    with pytest.raises(Conflict, match="déjà été envoyé"):
        attach(mail)


@on_sqlite
def test_every_message_carries_them_and_the_relay_hands_them_over_whole(club: str, relay: Relay) -> None:
    mail = new_id()
    attach(mail)
    attach(mail, "rencontre.ics", ICS)
    saved(mail)
    with transaction() as session:
        marie = add_member(session, name="Marie", email="marie@club.example")
        add_member(session, name="Luc", email="luc@club.example")
        tested = test_mails.send_broadcast_test(session, HELENE, to="helene@beffroi.example", broadcast_id=mail)
        assert session.get_one(OutboxMail, tested).broadcast_id == mail
    send(mail)
    assert deliver().sent == 3
    assert len(kept()) == 2, "once, whatever the number of messages"
    for message in relay.accepted:
        files = list(message.iter_attachments())
        assert [(file.get_filename(), file.get_content_type()) for file in files] == [
            (PLAN, "application/pdf"),
            ("rencontre.ics", "text/calendar"),
        ]
        assert [file.get_payload(decode=True) for file in files] == [PDF, ICS]
    assert {str(message["X-Club-Kind"]) for message in relay.accepted} == {"broadcast", "test"}
    with reading() as session:
        own = data_export._held(session, marie)
    assert [row["fichiers"] for row in own["messages"]] == [[PLAN, "rencontre.ics"]]


@on_sqlite
def test_files_go_with_a_draft_that_is_left_or_deleted_and_with_the_journal(
    club: str, at: Callable[[str], datetime]
) -> None:
    left, deleted, sent = new_id(), new_id(), new_id()
    for mail in (left, deleted, sent):
        attach(mail, f"{mail}.pdf")
    for mail in (deleted, sent):
        saved(mail)
    with transaction() as session:
        add_member(session)
        broadcasts.delete(session, HELENE, deleted)
    send(sent)
    assert sorted(kept()) == sorted([f"{left}.pdf", f"{sent}.pdf"])
    still = {"2026-11-23T09:00": 2, "2026-11-23T11:00": 1, "2027-11-19T10:00": 1, "2027-11-21T10:00": 0}
    for moment, stays in still.items():
        at(moment)
        with transaction() as session:
            retention.erase_expired(session)
        assert len(kept()) == stays, moment


def test_a_backup_carries_them(move: Move, file: Path) -> None:
    move("sqlite")
    migrations.migrate()
    mail = new_id()
    attach(mail)
    saved(mail)
    with reading() as session:
        before = session.exec(select(MailAttachment)).one().model_dump()
    backups.make_backup(file, with_key=True)
    move("postgres")
    backups.restore(file)
    with reading() as session:
        assert session.exec(select(MailAttachment)).one().model_dump() == before
        assert session.exec(select(BroadcastEmail)).one().subject == "Le plan"


@on_sqlite
def test_a_file_name_cannot_add_a_header(club: str) -> None:
    with transaction() as session:
        add_member(session, name="Marie", email="marie@club.example")
        row = MailAttachment(
            broadcast_id=new_id(), position=1, name='a"\r\nBcc: x@y.example', media_type="text/plain", size=1,
            content="eA==\r\n", sent_by=HELENE.email, created_at=clock.now(),
        )  # fmt: skip
        session.add(row)
    saved(row.broadcast_id)
    send(row.broadcast_id)
    with reading() as session:
        mail = session.exec(select(OutboxMail)).one()
        letter = mail_kinds.compose(session, mail)
    with pytest.raises(ValueError, match="filename"):
        mime.build_message(letter, mail)


def test_sizes_are_told_in_french() -> None:
    sizes = {1: "1\u00a0ko", 200_000: "195\u00a0ko", 3_600_000: "3,4\u00a0Mo", 10 * 1024 * 1024: "10\u00a0Mo"}
    assert {size: attachments.describe_size(size) for size in sizes} == sizes
