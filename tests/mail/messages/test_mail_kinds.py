"""What the mails say, read back as a mail program reads them (M1, M2, M4)."""

import re
from email import message_from_bytes, policy
from email.message import EmailMessage
from html import unescape
from pathlib import Path

import pytest
from sqlmodel import select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.mail.messages import mail_kinds
from clubapp.mail.queue import outbox
from clubapp.mail.transport import mime
from clubapp.models import EmailReminderSetting, EmailSignature, Event, EventReservation, EventSpeaker, Member
from tests.conftest import forget_settings
from tests.images import corners, decoded, encoded, quarters
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
        return mime.build_message(mail_kinds.compose(session, mail), mail)


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
    text, shown = message.iter_parts()
    assert (text.get_content_type(), shown.get_content_type()) == ("text/plain", "multipart/related")
    assert [sub.get_content_type() for sub in shown.iter_parts()] == ["text/html", "image/png"]  # type: ignore[attr-defined]
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
        session.add(
            EventSpeaker(event_id=invited.event.id, name="Zoé Lefèbvre", company="Atelier Lefèbvre", bio="Le lin")
        )
    message = opened(written())
    text, html = part(message, "plain"), part(message, "html")
    for fact in (
        "Pause & <b>café</b>",
        clock.long_date(invited.event.date),
        "3 place d'Armes",
        "Zoé Lefèbvre",
        "Atelier Lefèbvre",
        "Le lin",
        "Il reste 30 places sur 30",
        "Hélène Caudrelier",
    ):
        assert fact in text
        assert fact in words(html)
    assert "<b>café" not in html
    assert set(LINK.findall(text)) == {unescape(link) for link in re.findall(r'href="([^"]+)"', html)}


def test_an_address_that_names_the_town_stands_alone(club: str) -> None:
    address = "Halle des Houblons, 14 quai de l'Écluse, 59300 Valenciennes"
    invite("Marie Durand", address=address)
    message = opened(written())
    text, html = part(message, "plain"), words(part(message, "html"))
    assert f"Où\u00a0: {address}\n" in text
    assert html.count(address) == 1
    assert f"Valenciennes {address}" not in html


def test_the_links_answer_for_the_one_invited(club: str) -> None:
    invited = invite("Marie Durand", "Paul Vasseur")
    for position, mail in enumerate(mails()):
        token = invited.answer_tokens[mail.recipient]
        link = f"http://localhost:3000/event/{invited.event.id}?token={token}"
        text = part(opened(written(position)), "plain")
        assert {found for found in LINK.findall(text) if "/event/" in found} == {
            link, f"{link}&answer=oui", f"{link}&answer=non", link.replace("?", "/calendar.ics?")
        }  # fmt: skip


def test_the_html_suits_every_mail_program(club: str) -> None:
    invite("Marie Durand")
    html = part(opened(written()), "html")
    assert len(html.encode()) < 100_000
    assert 'width="600"' in html
    assert "max-width: 600px" in html
    assert "prefers-color-scheme: dark" in html
    assert 'class="preheader" style=' in html
    assert re.findall(r'<img[^>]* src="([^"]*)"', html) == ["cid:logo@club"]  # nothing tells who opened it (M14)
    assert "<script" not in html
    assert not re.search(r"url\(", html)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_the_logo_of_the_club_is_in_the_message_and_named(
    club: str, environment: pytest.MonkeyPatch, tmp_path: Path, kind: str
) -> None:
    kept = tmp_path / "logo"
    kept.write_bytes(encoded(quarters((1200, 300)), kind))
    environment.setenv("CLUB_LOGO", str(kept))
    forget_settings()
    invite("Zoé Lefèbvre")
    message = opened(written())
    (shown,) = re.findall(r"<img[^>]*>", part(message, "html"))
    for attribute in ('src="cid:logo@club"', 'width="160"', 'height="40"', 'alt="Cercle du Beffroi"'):
        assert attribute in shown
    (logo,) = [each for each in message.walk() if each.get_content_type() == "image/png"]
    picture = decoded(logo.get_payload(decode=True))  # type: ignore[arg-type]
    assert (picture.size, corners(picture)) == ((320, 80), ["red", "green", "blue", "black"])


def test_an_invitation_says_all_that_a_decision_needs_and_asks_before_the_long_text(club: str) -> None:
    invited = invite(
        "Inès Vandamme",
        "Paul Vasseur",
        date=clock.from_local("2126-12-10T12:00"),
        ends_at=clock.from_local("2126-12-10T14:30"),
        answers_until=clock.from_local("2126-12-06T18:00"),
        max_participants=42,
        description="Les places sont mêlées.\n\n11h30 : Accueil, café\n- 12:15 à 13h Trois réussites\n\n"
        "Garez-vous rue Basse.",
    )
    with transaction() as session:
        session.add(EventSpeaker(event_id=invited.event.id, name="Zoé Lefèbvre", role="Directrice", bio="Le lin"))
        paul = session.exec(select(EventReservation).where(EventReservation.member_id == invited.members[1].id)).one()
        paul.will_attend, paul.guest_count = True, 2
    html = part(opened(written()), "html")
    told = words(html)
    in_order = (
        "décembre 10 mardi", "mardi 10 décembre 2126, de 12:00 à 14:30", "Oui, je viens", "Non, pas cette fois",
        "Il reste 39 places sur 42", "Réponse avant le ven. 6 décembre à 18:00", "Bonjour Inès,", "Au programme",
        "Les places sont mêlées.", "11:30 Accueil, café", "12:15 – 13:00 Trois réussites",
        "Garez-vous rue Basse.", "Ajouter à mon agenda", "Zoé Lefèbvre", "Directrice", "Le lin",
        "Hélène Caudrelier", "Mentions légales", "Confidentialité",
    )  # fmt: skip
    told = told.replace("\xa0", " ")
    position = 0
    for each in in_order:
        position = told.find(each, position)
        assert position >= 0, each
    assert "://" not in told  # no naked link: the text part has them
    assert '<body lang="fr"' in html
    assert '<!--[if mso]><table role="presentation" width="600"' in html
    buttons = re.findall(r'<td class="button(?:-quiet)?"[^>]*style="([^"]*)"', html)
    assert len(buttons) == 2
    assert all("mso-padding-alt: 15px 28px" in style for style in buttons)  # Outlook ignores the padding of a link


def test_every_mail_ends_with_the_signature_and_the_legal_links(club: str) -> None:
    ask_for_link()
    message = opened(written())
    for told in (part(message, "plain"), part(message, "html")):
        for fact in ("Hélène Caudrelier", "06 39 98 55 01", "1 place du Beffroi, 59000 Lille", "/mentions-legales"):
            assert fact in told
        assert "http://localhost:3000/confidentialite" in told


def test_a_club_of_another_name_never_signs_with_the_fictional_mobile(
    club: str, environment: pytest.MonkeyPatch
) -> None:
    environment.setenv("CLUB_NAME", "Cercle de la Lys")
    environment.setenv("CLUB_CONTACT_ADDRESS", "2 quai de la Lys, 59280 Armentières")
    forget_settings()
    ask_for_link()
    text = part(opened(written()), "plain")
    assert "06 39 98 55 01" not in text
    assert "2 quai de la Lys, 59280 Armentières" in text


def test_each_reader_is_greeted_by_their_own_name(club: str) -> None:
    invited = invite("Jean-François Boulinguez", "LEFÈBVRE Zoé", "Marie Claire Petit")
    with transaction() as session:
        session.get_one(Event, invited.event.id).email_subject = "{{PRENOM}} {{NOM}}, venez"
        session.get_one(Event, invited.event.id).email_template = "Bonjour {{PRENOM}},\n\nMerci."
        session.get_one(Member, invited.members[2].id).first_name = "Marie Claire"
    by_address = {}
    for position, mail in enumerate(mails()):
        message = opened(written(position))
        assert "Merci." in part(message, "html")
        by_address[mail.recipient] = (message["Subject"], part(message, "plain").split("Bonjour ")[1].split(",")[0])
    assert by_address == {
        "jean.francois.boulinguez@invites.example": ("Jean-François Boulinguez, venez", "Jean-François"),
        "lefebvre.zoe@invites.example": ("Zoé LEFÈBVRE, venez", "Zoé"),
        "marie.claire.petit@invites.example": ("Marie Claire Petit, venez", "Marie Claire"),
    }


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
    for said in ("30 minutes", clock.hour(link.expires_at), "Si vous n’avez rien demandé, ignorez ce message"):
        assert said in text
        assert said in words(html)
    assert code[0] not in message["Subject"]


def test_a_sign_in_mail_may_come_without_code(club: str) -> None:
    ask_for_link(code=False)
    assert not re.search(r"^\d{6}$", part(opened(written()), "plain"), re.MULTILINE)


def test_whoever_is_signed_in_and_proves_it_anew_gets_the_code_alone(club: str) -> None:
    ask_for_link(only_code=True)
    message = opened(written())
    text, html = part(message, "plain"), part(message, "html")
    assert message["Subject"].endswith("votre code de confirmation")
    code = re.search(r"^\d{6}$", text, re.MULTILINE)
    assert code is not None
    assert code[0] in words(html)
    assert "access_token" not in text + html


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

    assert said()[0].startswith("Invitation\u00a0: Matinale, ")
    with transaction() as session:
        session.add(
            EmailReminderSetting(
                reminder_type="event_invitation",
                template_subject="Le club\u00a0: {{EVENT_TITLE}}",
                template_content="Du club.",
            )
        )
    assert said()[0] == "Le club\u00a0: Matinale"
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
