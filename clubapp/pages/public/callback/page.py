"""/auth/callback, and the older /admin/callback: where the link of a sign-in mail leads."""

import reflex as rx

from clubapp import routes
from clubapp.services.access import sign_in
from clubapp.ui import button, card, link_button, page_link, spinner
from clubapp.ui.frame.layouts import bare_layout
from clubapp.ui.frame.titles import page_title
from clubapp.ui.react.frame.session import redeemer, redemption_step, redemption_text
from clubapp.web.screens.page import Page

# What the short title of an error means, and what to do about it.
_REASONS = {
    sign_in.MISSING_TOKENS: "L’adresse du lien est incomplète\u00a0: ouvrez-le depuis l’e-mail. ",
    sign_in.NO_SESSION: "Ce lien a déjà servi, a expiré ou a été remplacé par un plus récent. ",
    sign_in.NOT_ALLOWED: "Cette adresse n’ouvre plus d’accès au club. ",
}


def content() -> rx.Component:
    """The screen: one step at a time. It needs no socket."""
    steps = card(
        redemption_step(_unheard(), step="begin"),
        redemption_step(_checking(), step="checking"),
        redemption_step(_confirm(), step="confirm"),
        redemption_step(spinner("Connexion réussie…"), step="done"),
        redemption_step(_error(), step="error"),
        class_name="sign-in-card",
    )
    return bare_layout(
        rx.el.section(
            rx.el.h1("Connexion", tab_index=-1, class_name="sign-in-title"), redeemer(steps), class_name="sign-in"
        )
    )


def _unheard() -> rx.Component:
    """What the server has written stays where no script runs: the secrets of the link are behind its #."""
    return rx.fragment(
        _checking(),
        rx.el.p(
            "Rien ne se passe\u00a0? Ce lien a besoin de JavaScript. Saisissez plutôt le code à 6 chiffres du même "
            "e-mail, dans le navigateur où vous l’avez demandé\u00a0: ",
            page_link("saisir le code", to=f"{routes.SIGN_IN}?etape=code"),
            ".",
            class_name="sign-in-lead sign-in-unheard",
        ),
    )


def _checking() -> rx.Component:
    return spinner("Vérification en cours...")


def _confirm() -> rx.Component:
    return rx.el.div(
        rx.el.p("Ce lien ouvre la session de ", rx.el.strong(redemption_text(of="email")), "."),
        rx.el.p(redemption_text(of="text"), class_name="sign-in-lead sign-in-replaced"),
        rx.el.p(
            "Ce lien n’a pas été demandé depuis ce navigateur\u00a0: confirmez que c’est bien vous qui vous connectez "
            "ici.",
            class_name="sign-in-lead",
        ),
        button("Confirmer la connexion", custom_attrs={"data-confirm": ""}, class_name="sign-in-button"),
        class_name="sign-in-form",
        role="status",
    )


def _error() -> rx.Component:
    reasons = [redemption_step(reason, step="error", text=title) for title, reason in _REASONS.items()]
    return rx.el.div(
        rx.el.p(redemption_text(of="text"), class_name="sign-in-error"),
        rx.el.p(*reasons, "Retour à la page de connexion dans un instant.", class_name="sign-in-lead"),
        link_button("Revenir à la connexion", routes.SIGN_IN, variant="secondary"),
        class_name="sign-in-form",
        role="alert",
    )


PAGES = tuple(
    Page(route=route, title=page_title("Connexion"), content=content)
    for route in (routes.CALLBACK, routes.ADMIN_CALLBACK)
)
