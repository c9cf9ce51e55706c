"""What the mails say, read back as a mail program reads them (M1, M2, M4)."""

import re
from email import message_from_bytes, policy
from email.message import EmailMessage
from html import unescape

import pytest

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.mail.messages import registry
from clubapp.mail.queue import outbox
from clubapp.mail.transport import mime
from clubapp.models import EmailReminderSetting, EmailSignature, Event, EventSpeaker
from tests.conftest import forget_settings
from tests.mail.mailings import ask_for_link, invite, mails

LINK = re.compile(r"https?://[^\s\"<>]+")
HEADERS = {
    "Subject", "From", "To", "Reply-To", "Date", "Message-ID", "Auto-Submitted", "X-Club-Kind", "MIME-Version",
    "Content-Type", "List-Unsubscribe", "List-Unsubscribe-Post",
}  # fmt: skip


def written(position: int = 0) -> bytes:
    """The bytes of one message of the outbox."""
    mail = mails()[position]
    with reading() as session:
        return mime.build_message(registry.compose(session, mail), mail)


def opened(raw: bytes) -> EmailMessage:
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message


def part(message: EmailMessage, subtype: str) -> str:
    found = message.get_body((subtype,))
    assert found is not None
    return found.get_content().replace("\r\n", "\n")


def words(html: str) -> str:
    """The visible text of an HTML part."""
    body = html.split("<body", 1)[1].split(">", 1)[1]
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", body)))


def test_an_invitation_carries_every_header_and_both_parts_text_first(club: str) -> None:
    invite("Zoé Lefèbvre")
    message = opened(written())
    assert message.get_content_type() == "multipart/alternative"
    assert [sub.get_content_type() for sub in message.iter_parts()] == ["text/plain", "text/html"]
    assert message["Message-ID"] == mails()[0].message_id
    assert message["X-Club-Kind"] == "invitation"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["From"] == "Cercle du Beffroi <contact@beffroi.example>"
    assert message["Reply-To"] == "helene.caudrelier@beffroi.example"
    assert message["To"] == "Zoé Lefèbvre <zoe.lefebvre@invites.example>"
    assert all(len(message.get_all(name) or []) == 1 for name in ("Message-ID", "Date", "To", "Subject"))
    assert message["Cc"] is None
    assert message["Bcc"] is None


def test_accents_round_trip_and_no_line_is_long(club: str) -> None:
    title = "Matinale d'été : « l'œuvre & la manière » – 100 % à Valenciennes, " + "très " * 60
    invite("Marie Durand", title=title, description="x" * 3000)
    raw = written()
    assert raw.isascii()
    assert b"\n" not in raw.replace(b"\r\n", b"")
    assert max(len(line) for line in raw.split(b"\r\n")) <= 998
    message = opened(raw)
    assert title.strip() in message["Subject"]
    assert title in part(message, "plain")


def test_both_parts_say_the_same_facts_and_links(club: str) -> None:
    invited = invite("Marie Durand", title="Pause & <b>café</b>", address="3 place d'Armes", max_participants=30)
    with transaction() as session:
        session.add(EventSpeaker(event_id=invited.event.id, name="Zoé Lefèbvre", company="Atelier Lefèbvre"))
    message = opened(written())
    text, html = part(message, "plain"), part(message, "html")
    for fact in (
        "Pause & <b>café</b>",
        clock.long_date(invited.event.date),
        "Valenciennes, 3 place d'Armes",
        "Zoé Lefèbvre, Atelier Lefèbvre",
        "30 places",
        "Hélène Caudrelier",
    ):
        assert fact in text
        assert fact in words(html)
    assert "<b>café" not in html
    assert set(LINK.findall(text)) == {unescape(link) for link in re.findall(r'href="([^"]+)"', html)}


def test_the_links_answer_for_the_one_invited(club: str) -> None:
    invited = invite("Marie Durand", "Paul Vasseur")
    for position, mail in enumerate(mails()):
        token = invited.answer_tokens[mail.recipient]
        link = f"http://localhost:3000/event/{invited.event.id}?token={token}"
        text = part(opened(written(position)), "plain")
        assert {found for found in LINK.findall(text) if "/event/" in found} == {
            link, f"{link}&answer=oui", f"{link}&answer=non"
        }  # fmt: skip


def test_the_html_suits_every_mail_program(club: str) -> None:
    invite("Marie Durand")
    html = part(opened(written()), "html")
    assert len(html.encode()) < 100_000
    assert 'width="600"' in html
    assert "max-width: 600px" in html
    assert "prefers-color-scheme: dark" in html
    assert 'class="preheader" style=' in html
    assert "<img" not in html  # nothing to block, nothing that tells who opened it (M14)
    assert "<script" not in html
    assert not re.search(r"url\(", html)


def test_a_sign_in_mail_holds_the_link_the_code_and_how_long_they_live(club: str) -> None:
    link = ask_for_link()
    message = opened(written())
    text, html = part(message, "plain"), part(message, "html")
    access = re.search(r"/auth/callback#access_token=([\w-]{43})&refresh_token=[\w-]{43}$", text, re.MULTILINE)
    assert access is not None
    assert access[0] in unescape(html)
    code = re.search(r"^\d{6}$", text, re.MULTILINE)
    assert code is not None
    assert code[0] in words(html)
    for said in ("30 minutes", clock.hour(link.expires_at), "Si vous n'avez rien demandé, ignorez ce message"):
        assert said in text
        assert said in words(html)
    assert code[0] not in message["Subject"]


def test_a_sign_in_mail_may_come_without_code(club: str) -> None:
    ask_for_link(code=False)
    assert not re.search(r"^\d{6}$", part(opened(written()), "plain"), re.MULTILINE)


def test_an_unknown_address_is_told_kindly_and_how_to_apply(club: str) -> None:
    with transaction() as session:
        outbox.queue_mail(session, kind="sign_in_unknown", key="one", recipient="inconnu@ailleurs.example")
    text = part(opened(written()), "plain")
    assert "ne figure pas dans la liste de nos membres" in text
    assert "contact@beffroi.example" in text
    assert "auth/callback" not in text


def test_links_survive_a_change_of_key(club: str, environment: pytest.MonkeyPatch) -> None:
    invited = invite("Marie Durand")
    ask_for_link()
    environment.setenv(
        "CLUB_SECRET_KEY", "a-newer-key-of-enough-length-to-sign,a-test-key-of-enough-length-to-sign-with"
    )
    forget_settings()
    both = part(opened(written(0)), "plain") + part(opened(written(1)), "plain")
    assert invited.answer_tokens["marie.durand@invites.example"] in both
    assert "access_token=" in both


def test_the_event_s_own_words_come_before_the_club_s_and_the_built_in_ones(club: str) -> None:
    invited = invite("Marie Durand", title="Matinale")

    def said() -> tuple[str, str]:
        message = opened(written())
        return message["Subject"], part(message, "plain")

    assert said()[0].startswith("Invitation : Matinale, ")
    with transaction() as session:
        session.add(
            EmailReminderSetting(
                reminder_type="event_invitation",
                template_subject="Le club : {{EVENT_TITLE}}",
                template_content="Du club.",
            )
        )
    assert said()[0] == "Le club : Matinale"
    assert "Du club." in said()[1]
    with transaction() as session:
        session.get_one(Event, invited.event.id).email_subject = "Venez à {{EVENT_TITLE}}"
    assert said()[0] == "Venez à Matinale"
    assert "Du club." in said()[1]
    with transaction() as session:
        session.get_one(Event, invited.event.id).email_template = "De l'événement."
    assert "De l'événement." in said()[1]


def test_the_club_s_signature_stands_under_the_mail(club: str) -> None:
    invite("Marie Durand")
    signature = EmailSignature(
        sender_name="Luc Dhaene", sender_role="Président", company_name="Dhaene SA", updated_at=clock.now()
    )
    with transaction() as session:
        session.add(signature)
    assert "Luc Dhaene\nPrésident, Dhaene SA\n" in part(opened(written()), "plain")
    with transaction() as session:
        own = '<p>Luc &amp; <strong>Cie</strong></p><script>alert(1)</script><a href="javascript:x">x</a>'
        session.merge(signature).custom_html = own
    message = opened(written())
    assert "-- \nLuc & Cie\n" in part(message, "plain")
    assert "<strong>Cie</strong>" in part(message, "html")
    assert "alert(1)" not in part(message, "html")
    assert "javascript:" not in part(message, "html")


@pytest.mark.parametrize("evil", ["\r\nBcc: tous@ailleurs.example", "\n\nCorps", "\x00", "\u2028X-Y: z", "\x0bX: y"])
def test_no_field_reaches_into_the_headers(club: str, environment: pytest.MonkeyPatch, evil: str) -> None:
    if "\x00" not in evil or club == "sqlite":  # PostgreSQL itself refuses a NUL
        invite(f"Marie{evil}", title=f"Matinale{evil}", email_subject=f"Venez{evil} à {{{{EVENT_TITLE}}}}")
    else:
        invite("Marie", title="Matinale")
    with transaction() as session:
        session.merge(mails()[0]).recipient = "marie@durand.example"
    raw = written()
    assert b"\x00" not in raw
    assert set(opened(raw).keys()) == HEADERS
    assert opened(raw).get_content_type() == "multipart/alternative"
