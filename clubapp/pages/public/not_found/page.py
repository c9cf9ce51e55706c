"""Any unknown address."""

import reflex as rx

from clubapp import routes
from clubapp.ui import link_button, takeover
from clubapp.ui.frame.club_identity import ClubState
from clubapp.ui.frame.layouts import public_layout
from clubapp.ui.frame.titles import page_title
from clubapp.web.screens.page import Page


def content() -> rx.Component:
    """The screen."""
    return public_layout(
        takeover(ClubState.club.name != ""),
        rx.el.div(
            rx.el.p("404", class_name="not-found-code", aria_hidden="true"),
            rx.el.h1("Oops! Page not found", lang="en", class_name="page-title"),
            rx.el.p(
                "L’adresse est peut-être incomplète, ou la page a été déplacée depuis.", class_name="not-found-text"
            ),
            link_button("Retour à l’accueil", routes.HOME),
            class_name="wrap page not-found",
        ),
    )


PAGES = (Page(route=routes.NOT_FOUND, title=page_title("Page introuvable"), content=content),)
