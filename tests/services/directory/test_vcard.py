"""A contact card says what the public page says, and another reader understands it."""

from typing import Any

import pytest
import vobject

from clubapp.database import reading, transaction
from clubapp.refusals import NotFound
from clubapp.services.directory import vcard
from tests.factories import add_member


def card_of(**given: Any) -> tuple[vcard.ContactCard, Any]:
    """The card of a new member, as written and as another library reads it."""
    with transaction() as session:
        someone = add_member(session, **given).id
    with reading() as session:
        made = vcard.build_vcard(session, someone)
    return made, vobject.readOne(made.content.decode())


def test_a_card_holds_what_the_page_shows(club: str) -> None:
    made, read = card_of(
        name="Paul-Henri de La Tour",
        email="paul@durand.example",
        role="Gérant, associé",
        company="Atelier; Fils & Cie",
        activity_domain="Bâtiment & Travaux",
        phone="03 20 55 55 01",
        website="www.durand.example",
        linkedin="https://www.linkedin.com/in/paul,h;x",
    )
    assert made.file_name == "paul-henri-de-la-tour.vcf"
    assert made.content.startswith(b"BEGIN:VCARD\r\nVERSION:3.0\r\n")
    assert read.fn.value == "Paul-Henri de La Tour"
    assert (read.n.value.given, read.n.value.family) == ("Paul-Henri", "de La Tour")
    assert read.org.value == ["Atelier; Fils & Cie"]
    assert read.title.value == "Gérant, associé"
    assert read.email.value == "paul@durand.example"
    assert read.tel.value == "+33320555501"
    assert [url.value for url in read.url_list] == [
        "https://www.durand.example",
        "https://www.linkedin.com/in/paul%2Ch%3Bx",
    ]
    assert "Bâtiment & Travaux\nCercle du Beffroi\nhttp://localhost:3000/membres/" in read.note.value


def test_what_is_missing_or_dangerous_is_left_out(club: str) -> None:
    _, read = card_of(email=None, phone="appelez-moi", website="javascript:alert(1)")
    assert {line.name for line in read.getChildren()} == {"VERSION", "PRODID", "UID", "FN", "N", "NOTE"}


@pytest.mark.parametrize(
    "name",
    [
        "Zoé\r\nTEL:+33600000000",
        "É" * 200,
        "مريم العلي",
        "Léa 😀 \\n; ,",
        "Cher",
        '../../"etc\x07\u2028',
    ],
)
def test_strange_names_stay_names(club: str, name: str) -> None:
    made, read = card_of(name=name, email=None)
    assert not hasattr(read, "tel")
    assert read.fn.value == " ".join(name.split()).replace("\x07", "")
    assert all(len(line) <= 75 for line in made.content.split(b"\r\n"))
    assert made.file_name.isascii()
    assert set(made.file_name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-.")


def test_who_left_has_no_card(club: str) -> None:
    with pytest.raises(NotFound):
        card_of(is_active=False)
