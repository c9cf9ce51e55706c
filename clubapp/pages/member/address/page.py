"""/auth/adresse: where the link of a new e-mail address leads (S11)."""

import reflex as rx

from clubapp import routes
from clubapp.pages.member.address.state import NewAddressState
from clubapp.ui import button, link_button
from clubapp.ui.frame.layouts import bare_layout
from clubapp.ui.react.answer.fragment_token import fragment_token
from clubapp.ui.react.lists.focus_heading import focus_heading
from clubapp.web.screens.page import Page

TITLE = "Votre nouvelle adresse"


def content() -> rx.Component:
    """The screen: the question, then the result."""
    steps = rx.match(NewAddressState.step, ("done", _done()), ("failed", _failed()), _ask())
    return bare_layout(
        rx.el.div(rx.el.h1(TITLE, tab_index=-1), steps, class_name="wrap page new-address"),
        on_arrive=NewAddressState.begin,
    )


def _ask() -> rx.Component:
    return fragment_token(
        rx.el.p(
            "En confirmant, l’adresse à laquelle vous avez reçu ce lien devient celle de votre fiche et de vos "
            "connexions. Les sessions ouvertes avec l’ancienne seront fermées."
        ),
        button("Confirmer ma nouvelle adresse", data_confirm="true", class_name="button-large"),
        on_confirm=NewAddressState.confirm,
        class_name="form",
    )


def _done() -> rx.Component:
    return rx.el.div(
        focus_heading("C’est confirmé"),
        rx.el.p("Connectez-vous désormais avec ", rx.el.strong(NewAddressState.email), "."),
        link_button("Me connecter", routes.SIGN_IN),
        class_name="form",
    )


def _failed() -> rx.Component:
    return rx.el.div(
        focus_heading("L’adresse n’a pas été changée"),
        rx.el.p(NewAddressState.reason, role="alert"),
        link_button("Ouvrir mon profil", routes.MEMBER),
        class_name="form",
    )


PAGES = (Page(route=routes.CONFIRM_EMAIL, title=TITLE, content=content),)
