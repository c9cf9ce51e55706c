"""The club's emblem and name."""

import reflex as rx

from clubapp import routes
from clubapp.services.public_site import club_presentation
from clubapp.ui.frame.club_identity import ClubState
from clubapp.ui.kit.image import image
from clubapp.ui.kit.links import page_link


def brand() -> rx.Component:
    """The emblem and the club's name, as a link to the landing page."""
    return page_link(
        emblem(),
        rx.el.span(ClubState.club.name, class_name="brand-name"),
        to=routes.HOME,
        # The accessible name of the link until the club's name is loaded.
        aria_label=rx.cond(ClubState.club.name == "", "Accueil", rx.Var("undefined")),
        class_name="brand",
    )


def emblem() -> rx.Component:
    """The club's emblem, without alternative text: the club's name always stands beside it."""
    return image(club_presentation.EMBLEM, "", 28, 40, class_name="emblem")
