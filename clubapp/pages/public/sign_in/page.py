"""/connexion, and /admin/login which is the same screen."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.public.sign_in.parts import (
    UNSENT,
    have_code_link,
    link_sent_panel,
    passkey_part,
    plain_code_panel,
    request_form,
    signed_in_panel,
)
from clubapp.pages.public.sign_in.state import SignInState
from clubapp.ui import banner, card, takeover
from clubapp.ui.frame.layouts import public_layout
from clubapp.ui.frame.titles import page_title
from clubapp.ui.react.frame.session import expired_address
from clubapp.web.screens.page import Page


def _is_begun() -> Any:
    known: Any = SignInState.is_known
    return known & ~SignInState.is_sent & ~SignInState.has_code


def content() -> rx.Component:
    """The form of the address, then the form of the code."""
    return public_layout(
        # In a tab that has asked before, only once `begin` has shown the form of the address: what is typed stays.
        takeover(_is_begun()),
        expired_address(on_known=SignInState.fill_address),
        _section(rx.cond(SignInState.is_sent | SignInState.has_code, link_sent_panel(), _address())),
        on_arrive=SignInState.begin,
    )


def first_paint() -> rx.Component:
    """The same as plain forms, which need neither script nor websocket.

    Where a script runs, the form of the address is held for a moment until the interface has come alive.
    """
    form = request_form(method="post", action=routes.SIGN_IN, data_held="true", data_unsent=UNSENT)
    address = rx.fragment(form, have_code_link(), passkey_part())
    return public_layout(_section(rx.cond(SignInState.is_sent, plain_code_panel(), address)))


def _address() -> rx.Component:
    return rx.fragment(request_form(), passkey_part())


def _section(step: rx.Component) -> rx.Component:
    expired = banner("Session expirée", "Votre session a expiré. Veuillez vous reconnecter.", tone="amber")
    return rx.el.section(
        rx.el.h1("Connexion", tab_index=-1, class_name="sign-in-title"),
        rx.cond(SignInState.is_expired, expired, rx.fragment()),
        rx.cond(SignInState.signed_in_as != "", signed_in_panel(), rx.fragment()),
        card(step, class_name="sign-in-card"),
        class_name="sign-in",
    )


PAGES = tuple(
    Page(route=route, title=page_title("Connexion"), content=content, first_paint=first_paint)
    for route in (routes.SIGN_IN, routes.ADMIN_SIGN_IN)
)
