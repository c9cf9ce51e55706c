"""/auth/callback, and the older /admin/callback: where the link of a sign-in mail leads (specification, section 4)."""

import reflex as rx

from clubapp import routes
from clubapp.pages.public.callback.state import CallbackState
from clubapp.ui import button, card, link_button, spinner
from clubapp.ui.layouts import bare_layout
from clubapp.ui.vendor.session import redeemer
from clubapp.web.page import Page


def content() -> rx.Component:
    """One step at a time."""
    shown = rx.match(
        CallbackState.step,
        ("confirm", _confirm()),
        ("done", spinner("Connexion réussie…")),
        ("error", _error()),
        spinner("Vérification en cours..."),
    )
    return bare_layout(
        rx.el.section(
            rx.el.h1("Connexion", tab_index=-1, class_name="sign-in-title"),
            redeemer(card(shown, class_name="sign-in-card"), on_step=CallbackState.show),
            class_name="sign-in",
        )
    )


def _confirm() -> rx.Component:
    return rx.el.div(
        rx.el.p("Ce lien ouvre la session de ", rx.el.strong(CallbackState.email), "."),
        rx.el.p(
            "Il n'a pas été demandé depuis ce navigateur : confirmez que c'est bien vous qui vous connectez ici.",
            class_name="sign-in-lead",
        ),
        button("Confirmer la connexion", custom_attrs={"data-confirm": ""}, class_name="sign-in-button"),
        class_name="sign-in-form",
        role="status",
    )


def _error() -> rx.Component:
    return rx.el.div(
        rx.el.p(CallbackState.error, class_name="sign-in-error"),
        rx.el.p("Retour à la page de connexion dans un instant.", class_name="sign-in-lead"),
        link_button("Revenir à la connexion", routes.SIGN_IN, variant="secondary"),
        class_name="sign-in-form",
        role="alert",
    )


PAGES = tuple(
    Page(route=route, title="Connexion", content=content) for route in (routes.CALLBACK, routes.ADMIN_CALLBACK)
)
