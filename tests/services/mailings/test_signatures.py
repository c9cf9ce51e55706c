"""The signature under every mail: required lines, a web address, HTML that is cleaned, one version."""

import threading
from collections.abc import Callable
from datetime import datetime

import pytest

from clubapp.database import reading, transaction
from clubapp.mail.messages import text_choice
from clubapp.models import EmailSignature
from clubapp.refusals import Forbidden
from clubapp.services.base.actors import VISITOR, Actor
from clubapp.services.base.edit_conflicts import TextChanged
from clubapp.services.base.form_fields import InvalidForm
from clubapp.services.mailings import previews, signatures
from clubapp.services.mailings.signatures import SignatureForm

HELENE = Actor(email="helene@beffroi.example", is_admin=True, session_id="s")
MARIE = Actor(email="marie@durand.example", member_id="m", session_id="t")
TYPED = {
    "sender_name": "Luc Dhaene",
    "sender_role": "Président",
    "company_name": "Dhaene SA",
    "phone": "03 20 55 55 01",
    "website": "https://dhaene.example",
}


@pytest.fixture(autouse=True)
def november(at: Callable[[str], datetime]) -> None:
    at("2026-11-20T10:00")


def save(**changed: str) -> None:
    with transaction() as session:
        seen = changed.pop("seen", signatures.open_form(session, HELENE).seen)
        signatures.save(session, HELENE, SignatureForm(seen=seen, **(TYPED | changed)))


def kept() -> EmailSignature:
    with reading() as session:
        return session.exec(signatures.select(EmailSignature)).one()


@pytest.mark.parametrize("actor", [VISITOR, MARIE], ids=["visitor", "member"])
def test_only_an_administrator_signs_for_the_club(club: str, actor: Actor) -> None:
    with reading() as session:
        for act in (
            lambda: signatures.open_form(session, actor),
            lambda: signatures.save(session, actor, SignatureForm()),
            lambda: previews.preview_signature(session, actor, SignatureForm()),
        ):
            with pytest.raises(Forbidden):
                act()


def test_of_two_first_signatures_at_once_the_second_is_told(club: str) -> None:
    both, refused = threading.Barrier(2), []

    def sign(name: str) -> None:
        form = SignatureForm(seen="built-in", **(TYPED | {"sender_name": name}))
        with transaction() as session:
            signatures.open_form(session, HELENE)
            if club == "postgres":  # SQLite lets one writer in at a time
                both.wait()
            try:
                signatures.save(session, HELENE, form)
            except TextChanged as refusal:
                refused.append((name, refusal.seen))

    people = [threading.Thread(target=sign, args=(name,)) for name in ("Luc Dhaene", "Léa Morel")]
    for person in people:
        person.start()
    for person in people:
        person.join()
    [(second, seen)] = refused
    assert kept().sender_name != second
    save(seen=seen, sender_name=second)
    assert kept().sender_name == second


def test_it_starts_with_the_built_in_one(club: str) -> None:
    with reading() as session:
        form = signatures.open_form(session, HELENE)
    assert (form.sender_name, form.company_name, form.changed) == ("Hélène Caudrelier", "Cercle du Beffroi", "")


def test_the_built_in_one_can_be_saved_as_it_is_on_a_machine_of_ones_own(club: str) -> None:
    with reading() as session:
        built_in = signatures.open_form(session, HELENE)
    assert built_in.website.startswith("http://localhost")
    with transaction() as session:
        signatures.save(session, HELENE, built_in)
    assert kept().website == built_in.website


def test_it_is_kept_in_one_row_with_who_and_when(club: str) -> None:
    save()
    save(sender_name="Luc D.")
    row = kept()
    assert (row.sender_name, row.updated_by) == ("Luc D.", "helene@beffroi.example")
    with reading() as session:
        assert (
            signatures.open_form(session, HELENE).changed == "Modifiée le 20/11/2026 à 11:00 par helene@beffroi.example"
        )


@pytest.mark.parametrize(
    ("changed", "fields"),
    [
        ({"sender_name": " "}, ["sender_name"]),
        ({"sender_role": "", "company_name": "\n"}, ["sender_role", "company_name"]),
        ({"website": "pas une adresse"}, ["website"]),
        ({"website": "javascript:alert(1)"}, ["website"]),
        ({"address": "x" * 201}, ["address"]),
        ({"custom_html": "x" * 10_001}, ["custom_html"]),
    ],
)
def test_what_is_wrong_is_told_by_field(club: str, changed: dict[str, str], fields: list[str]) -> None:
    with pytest.raises(InvalidForm) as refusal:
        save(**changed)
    assert list(refusal.value.errors) == fields


def test_a_web_address_may_come_without_its_scheme(club: str) -> None:
    save(website="www.dhaene.example")
    with reading() as session:
        assert text_choice.signature(session).website == "https://www.dhaene.example"


EVIL = (
    "<p onclick=x style='color:red;position:fixed;background:url(//e.example/x)'>Luc &amp; <b>Cie</b></p>"
    "<script>alert(1)</script><style>p{}</style><form action=/x><input name=a></form><iframe src=//e.example></iframe>"
    "<a href='javascript:alert(1)'>a</a><a href='https://club.example/'>b</a>"
    "<img src=x onerror=alert(1)><img src='http://localhost:3000/logo.png' alt=Logo><svg onload=alert(1)></svg>"
)


def test_its_html_is_cleaned_when_saved_and_again_when_sent(club: str) -> None:
    save(custom_html=EVIL)
    saved = kept().custom_html
    with transaction() as session:
        session.exec(signatures.select(EmailSignature)).one().custom_html = EVIL
    with reading() as session:
        sent = text_choice.signature(session)
        shown = previews.preview_signature(session, HELENE, SignatureForm(**TYPED, custom_html=EVIL))
    for html in (saved, sent.custom_html, shown.html):
        for gone in (
            "alert(1)",
            "onerror",
            "onclick",
            "<form",
            "<input",
            "javascript:",
            "position",
            "e.example",
            "<svg",
        ):
            assert gone not in html
        for stays in ("Luc &amp; <b>Cie</b>", 'href="https://club.example/"', "http://localhost:3000/logo.png"):
            assert stays in html
    assert sent.custom_text.startswith("Luc & Cie")


@pytest.mark.parametrize(
    ("html", "text"),
    [
        (
            '<p>Voir <a href="https://ok.example/a?b=1&amp;c=2">ok </a>vite</p>',
            "Voir ok (https://ok.example/a?b=1&c=2) vite",
        ),
        ('<a href="https://ok.example/">https://ok.example</a>', "https://ok.example"),
        ('<a href="https://ok.example">ok.example</a>', "ok.example (https://ok.example)"),
        ('<a href="mailto:luc@ok.example?subject=Club">Luc@ok.example</a>', "Luc@ok.example"),
        ('<a href="mailto:luc@ok.example">Écrire à Luc</a>', "Écrire à Luc (luc@ok.example)"),
        ('<a href="tel:+33320555501">03 20 55 55 01</a>', "03 20 55 55 01"),
        ('<a href="tel:+33320555501">Nous appeler</a>', "Nous appeler (+33320555501)"),
        (
            '<a href="https://ok.example"><img src="http://localhost:3000/l.png" alt="Le club"></a>',
            "Le club (https://ok.example)",
        ),
        ('Luc<br><a href="https://ok.example"><img src="http://localhost:3000/l.png"></a>', "Luc\nhttps://ok.example"),
        ("<a>ok</a> &lt;b&gt; &amp; Cie<br/>fin", "ok <b> & Cie\nfin"),
        ("<table><tr><td>Luc</td><td>Président</td></tr><tr><td>Lille</td></tr></table>", "Luc Président\nLille"),
    ],
)
def test_the_text_part_keeps_the_links_and_pictures_of_the_html(club: str, html: str, text: str) -> None:
    save(custom_html=html)
    with reading() as session:
        assert text_choice.signature(session).custom_text == text


def test_without_html_the_lines_sign(club: str) -> None:
    with reading() as session:
        shown = previews.preview_signature(session, HELENE, SignatureForm(**TYPED))
    assert "Luc Dhaene\nPrésident, Dhaene SA\n03 20 55 55 01\nhttps://dhaene.example" in shown.text
    assert "<strong>Luc Dhaene</strong>" in shown.html


def test_the_second_of_two_administrators_is_told(club: str) -> None:
    with reading() as session:
        opened = signatures.open_form(session, HELENE).seen
    save(sender_name="La sienne")
    with pytest.raises(TextChanged) as refusal:
        save(sender_name="La mienne", seen=opened)
    assert kept().sender_name == "La sienne"
    save(sender_name="La mienne", seen=refusal.value.seen)
    assert kept().sender_name == "La mienne"


@pytest.mark.parametrize(
    "address",
    ["https://ailleurs.example/pixel.gif", "http://localhost:3000@ailleurs.example/l.png"],
)
def test_a_picture_of_another_site_is_refused_and_leaves_with_no_mail(club: str, address: str) -> None:
    """Fails when somebody else learns who opens a mail, and when (M14)."""
    html = f'<p>Luc <img src="{address}" alt="Logo"></p>'
    with pytest.raises(InvalidForm) as refusal:
        save(custom_html=html)
    assert refusal.value.errors == {"custom_html": signatures.REMOTE_PICTURE}
    save()
    with transaction() as session:
        session.exec(signatures.select(EmailSignature)).one().custom_html = html  # as versions before kept it
    with reading() as session:
        sent = text_choice.signature(session)
    assert "ailleurs.example" not in sent.custom_html
    assert sent.custom_text == "Luc Logo"
