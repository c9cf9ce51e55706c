"""/auth/callback, and the older /admin/callback: where the link of a sign-in mail leads."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.public.callback.state import CallbackState
from clubapp.services.access import sign_in
from clubapp.ui import button, card, link_button, spinner
from clubapp.ui.frame.layouts import bare_layout
from clubapp.ui.frame.titles import page_title
from clubapp.ui.react.frame.session import redeemer
from clubapp.web.screens.page import Page


def content() -> rx.Component:
    """The screen: one step at a time."""
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
            "Il n’a pas été demandé depuis ce navigateur\u00a0: confirmez que c’est bien vous qui vous connectez ici.",
            class_name="sign-in-lead",
        ),
        button("Confirmer la connexion", custom_attrs={"data-confirm": ""}, class_name="sign-in-button"),
        class_name="sign-in-form",
        role="status",
    )


def _error() -> rx.Component:
    return rx.el.div(
        rx.el.p(CallbackState.error, class_name="sign-in-error"),
        rx.el.p(_reason(), "Retour à la page de connexion dans un instant.", class_name="sign-in-lead"),
        link_button("Revenir à la connexion", routes.SIGN_IN, variant="secondary"),
        class_name="sign-in-form",
        role="alert",
    )


def _reason() -> Any:
    """What the short title means, and what to do about it."""
    return rx.match(
        CallbackState.error,
        (sign_in.MISSING_TOKENS, "L’adresse du lien est incomplète\u00a0: ouvrez-le depuis l’e-mail. "),
        (sign_in.NO_SESSION, "Ce lien a déjà servi, a expiré ou a été remplacé par un plus récent. "),
        (sign_in.NOT_ALLOWED, "Cette adresse n’ouvre plus d’accès au club. "),
        "",
    )


PAGES = tuple(
    Page(route=route, title=page_title("Connexion"), content=content)
    for route in (routes.CALLBACK, routes.ADMIN_CALLBACK)
)
