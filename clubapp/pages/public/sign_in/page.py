"""/connexion, and /admin/login which is the same screen."""

import reflex as rx

from clubapp import routes
from clubapp.pages.public.sign_in.parts import already_in, asking, waiting
from clubapp.pages.public.sign_in.state import SignInState
from clubapp.ui import banner, card, takeover
from clubapp.ui.layouts import public_layout
from clubapp.ui.titles import titled
from clubapp.web.page import Page


def content() -> rx.Component:
    """The address, then the answer and the code. The first paint's template sign_in.html draws the address alike."""
    expired = banner("Session expirée", "Votre session a expiré. Veuillez vous reconnecter.", tone="amber")
    is_waiting = SignInState.is_sent | SignInState.has_code
    return public_layout(
        takeover(SignInState.is_known),
        rx.el.section(
            rx.el.h1("Connexion", tab_index=-1, class_name="sign-in-title"),
            rx.cond(SignInState.is_expired, expired, rx.fragment()),
            rx.cond(SignInState.signed_in_as != "", already_in(), rx.fragment()),
            card(rx.cond(is_waiting, waiting(), asking()), class_name="sign-in-card"),
            class_name="sign-in",
        ),
        on_arrive=SignInState.begin,
    )


PAGES = tuple(
    Page(route=route, title=titled("Connexion"), content=content) for route in (routes.SIGN_IN, routes.ADMIN_SIGN_IN)
)
