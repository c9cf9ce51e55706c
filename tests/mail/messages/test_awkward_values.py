"""What people really type comes out right in the subject, the text and the HTML (M1, M5)."""

import re
from email import message_from_bytes, policy
from email.message import EmailMessage
from html import unescape

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.mail.messages import mail_kinds
from clubapp.mail.messages.event_variables import one_line
from clubapp.mail.transport import mime
from clubapp.models import BroadcastEmail, Event
from clubapp.services.base.actors import SYSTEM
from clubapp.services.mailings import broadcasts
from tests.conftest import on_sqlite
from tests.factories import add_member
from tests.mail.mailings import invite, mails

pytestmark = on_sqlite

VALUES = (
    "L'été à Noël, ça coûte où ?",
    "ÀÂÄÇÉÈÊËÎÏÔÖÙÛÜŸŒÆ àâäçéèêëîïôöùûüÿœæ",
    "Straße, mañana, Ångström, Łódź, Čeština",
    "« guillemets » et “anglais” et ‘simples’",
    "apostrophe ' droite et ’ courbe",
    'guillemets " droits "partout"',
    "{{EVENT_DATE}} dans un titre",
    "{{ EVENT_TITLE }} de soi-même",
    "{{INCONNU}} et {EVENT_TITLE} et {{}}",
    "{% raw %}{{ 7 * 7 }}{% endraw %}",
    "{{ config }} {{ self.__class__ }}",
    "${7*7} #{7*7} <%= 7*7 %>",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "</td></tr></table><h1>Cassé</h1>",
    "<b>gras</b> & <i>italique</i>",
    "a < b && b > c",
    "&amp; &lt; &eacute; &#233;",
    "--> <!-- commentaire -->",
    "]]> <![CDATA[x]]>",
    "<style>*{display:none}</style>",
    "javascript:alert(1)",
    "🎉 Fête 🥂 du club 👩‍👩‍👧‍👦 🇫🇷",
    "👍🏽 teint et é décomposé",
    "日本語 العربية עברית ελληνικά русский",
    "x" * 200,
    "mot " * 50 + "fin",
    "é" * 200,
    "=?utf-8?q?d=C3=A9guis=C3=A9?=",
    "=20=C3=A9 =0A soft=",
    ". un point seul",
    "From quelqu'un au début",
    "-- signature",
    "100 % garanti, 50 % moins cher",
    "C:\\dossier\\fichier \\n \\u00e9",
    "a; b, c: d <e@f.example>",
    "https://club.example/?a=1&b=2#c",
    "tabulation\tau milieu",
    "insécable\u00a0: et fine\u202f!",
    "zéro\u200blargeur et trait\u00addoux",
    "~!@#$%^&*()_+`-=[]{}|;:,./<>?",
)  # fmt: skip


def opened(raw: bytes) -> EmailMessage:
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message


def part(message: EmailMessage, subtype: str) -> str:
    found = message.get_body((subtype,))
    assert found is not None
    return found.get_content().replace("\r\n", "\n")


def spaced(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def visible(html: str) -> str:
    """The text a reader sees, as it was typed."""
    body = html.split("<body", 1)[1].split(">", 1)[1]
    return spaced(unescape(re.sub(r"<[^>]+>", "", body)))


def written(position: int = 0) -> bytes:
    mail = mails()[position]
    with reading() as session:
        return mime.build_message(mail_kinds.compose(session, mail), mail)


def check(value: str, raw: bytes, subject: str) -> None:
    assert max(len(line) for line in raw.split(b"\r\n")) <= 998
    message = opened(raw)
    assert spaced(message["Subject"]) == spaced(one_line(subject)), value
    text, html = part(message, "plain"), part(message, "html")
    assert spaced(value) in spaced(text), value
    assert spaced(value) in visible(html), value
    for tag in ("<script", "<style>*", "onerror=alert(1)>"):
        assert tag not in html, value
    assert html.count("<img") == html.count('src="cid:logo@club"') == 1, value


def test_forty_awkward_values_in_a_title_and_in_a_text(club: str) -> None:
    assert len(VALUES) >= 40
    event_id = invite("Marie Durand").event.id
    for value in VALUES:
        with transaction() as session:
            event = session.get_one(Event, event_id)
            event.title = value
            event.email_subject = "Venez : {{EVENT_TITLE}} !"
            event.email_template = "Bonjour,\n\n«{{EVENT_TITLE}}» le {{EVENT_DATE}}.\n\nFin."
        check(value, written(), f"Venez : {value} !")
        message = opened(written())
        assert f"» le {clock.long_day(event.date)}." in part(message, "plain")


def test_forty_awkward_values_typed_in_a_broadcast(club: str) -> None:
    with transaction() as session:
        add_member(session)
        broadcast = BroadcastEmail(subject="s", content="c", created_at=clock.now())
        session.add(broadcast)
        session.flush()
        broadcasts.send_broadcast(session, SYSTEM, broadcast.id)
    for value in VALUES:
        with transaction() as session:
            row = session.get_one(BroadcastEmail, broadcast.id)
            row.subject, row.content = f"Lettre : {value}", f"Avant\n\n{value}\n\nAprès"
        check(value, written(), f"Lettre : {value}")


def test_a_newline_in_a_subject_starts_no_header(club: str) -> None:
    event_id = invite("Marie Durand", title="Matinale").event.id
    with transaction() as session:
        session.get_one(Event, event_id).email_subject = "Un\r\nBcc: tous@ailleurs.example\n\nCorps {{EVENT_TITLE}}"
    message = opened(written())
    assert message["Subject"] == "Un Bcc: tous@ailleurs.example Corps Matinale"
    assert message["Bcc"] is None
