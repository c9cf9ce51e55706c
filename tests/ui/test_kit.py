"""What every screen relies on from the kit: names, hints and errors that belong to their control, nothing baked in."""

from dataclasses import asdict

import reflex as rx

from clubapp.services.public_site.club_presentation import Presentation
from clubapp.settings import ROOT
from clubapp.ui import button, cell, checkbox, field, image, link_button, page_link, status_badge, table_row
from clubapp.ui.frame.club_identity import ClubState
from clubapp.ui.mail.relay_words import relay_words

ASSETS = ROOT / "assets"


# What a state's vars look like to a component.
ERROR = rx.Var(_js_expr="error", _var_type=str).to(str)
BUSY = rx.Var(_js_expr="busy", _var_type=bool).to(bool)


def html(component: rx.Component) -> str:
    return str(component.render())


def test_a_field_is_named_described_and_required():
    drawn = html(field("Nom complet", "name", required=True, hint="Prénom puis nom"))
    assert 'htmlFor:"field-name"' in drawn
    assert 'id:"field-name"' in drawn
    assert '"aria-describedby":"field-name-hint"' in drawn
    assert "required:true" in drawn


def test_the_words_of_a_relay_are_folded_until_one_asks():
    drawn = relay_words("550 5.1.1 no such user").render()
    summary, reply = drawn["children"]
    assert [part["name"] for part in (drawn, summary, reply)] == ['"details"', '"summary"', '"q"']
    assert "550 5.1.1 no such user" in str(reply)


def test_a_refused_field_points_to_its_error():
    drawn = html(field("E-mail", "email", error="Adresse invalide."))
    assert '"aria-describedby":"field-email-error"' in drawn
    assert '"aria-invalid":"true"' in drawn
    assert 'role:"alert"' in drawn


def test_an_error_that_may_come_is_linked_only_once_it_is_there():
    drawn = html(field("E-mail", "email", hint="Au travail", error=ERROR))
    assert '? "field-email-hint field-email-error" : "field-email-hint"' in drawn


def test_a_box_is_named_by_its_label():
    drawn = html(checkbox("Déjeuner proposé", "has_lunch"))
    assert 'htmlFor:"field-has_lunch"' in drawn
    assert 'type:"checkbox"' in drawn


def test_a_busy_button_says_so_and_keeps_the_focus():
    drawn = html(button("Envoyer", busy=BUSY, busy_label="Envoi en cours..."))
    assert '"aria-busy":' in drawn
    assert '"aria-disabled":' in drawn
    assert "disabled:" not in drawn.replace('"aria-disabled":', "")
    assert "Envoi en cours..." in drawn
    assert "aria-busy" not in html(button("Envoyer"))


def test_links_leave_the_site_only_when_their_address_does():
    assert "ReactRouterLink" in html(page_link("Annuaire", to="/membres"))
    assert "ReactRouterLink" in html(link_button("Annuaire", "/membres"))
    assert "ReactRouterLink" not in html(link_button("Écrire", "mailto:contact@beffroi.example"))


def test_an_image_keeps_its_place_while_it_loads():
    assert 'width:"28"' in html(image("/emblem.svg", "", 28, 40))


def test_a_stacked_row_is_still_a_row():
    drawn = html(table_row(cell("Zoé", label="Nom")))
    assert 'role:"row"' in drawn
    assert 'role:"cell"' in drawn
    assert '"data-label":"Nom"' in drawn


def test_a_status_always_carries_its_word():
    assert "Brouillon" in html(status_badge("draft", "Brouillon"))


def test_no_identity_is_baked_into_the_front_end():
    assert ClubState.computed_vars["club"]._initial_value == Presentation()
    assert not any(asdict(Presentation()).values())


def test_fonts_and_drawings_stay_light():
    assert all(font.stat().st_size < 14_500 for font in (ASSETS / "fonts").glob("*.woff2"))
    assert [drawing.name for drawing in ASSETS.glob("*.svg") if drawing.stat().st_size > 9_000] == []


def test_every_font_comes_with_its_licence():
    assert len(list((ASSETS / "fonts").glob("*-OFL.txt"))) == len(list((ASSETS / "fonts").glob("*.woff2")))
