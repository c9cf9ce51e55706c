"""/connexion/verification: the second factor after the mail's link, or adding one where it is required (S12)."""

import reflex as rx

from clubapp import routes
from clubapp.pages.public.second_step.state import SecondStepState
from clubapp.ui import button, card, external_link, spinner
from clubapp.ui.access.code_fields import recovery_code, six_digits
from clubapp.ui.access.enrolment import enrolment
from clubapp.ui.access.proof_dialog import proof_dialog
from clubapp.ui.frame.layouts import bare_layout
from clubapp.ui.frame.titles import page_title
from clubapp.ui.kit.field import error_line
from clubapp.ui.react.frame.factor import factor_form, factor_watch, passkey_button
from clubapp.ui.react.frame.session import sign_out_form
from clubapp.web.screens.page import Page

TITLE = "Vérification"


def content() -> rx.Component:
    """The screen: one step at a time."""
    shown = rx.match(
        SecondStepState.step,
        ("verify", rx.cond(SecondStepState.has_lost, _recovery(), _verify())),
        ("enrol", _enrol()),
        spinner("Vérification en cours..."),
    )
    sign_out = sign_out_form(button("Déconnexion", type="submit", variant="quiet"), action=routes.SIGN_OUT)
    return bare_layout(
        rx.el.section(
            rx.el.h1(TITLE, tab_index=-1, class_name="sign-in-title"),
            card(shown, class_name="sign-in-card"),
            sign_out,
            factor_watch(on_verified=SecondStepState.begin),
            proof_dialog(),
            class_name="sign-in",
        ),
        on_arrive=SecondStepState.begin,
    )


def _verify() -> rx.Component:
    key = passkey_button(
        "Utiliser ma clé d’accès",
        act="verify",
        factor_id=SecondStepState.passkey_id,
        on_refuse=SecondStepState.refuse,
        class_name="button button-primary sign-in-button",
    )
    app = factor_form(
        six_digits("Code à 6 chiffres de votre application", "second-code"),
        button("Valider le code", type="submit"),
        factor_id=SecondStepState.app_id,
        on_refuse=SecondStepState.refuse,
        class_name="sign-in-code",
    )
    return rx.el.div(
        rx.el.p("Votre e-mail est confirmé. Montrez maintenant que c’est bien vous.", class_name="sign-in-lead"),
        rx.cond(SecondStepState.passkey_id != "", key, rx.fragment()),
        rx.cond(SecondStepState.app_id != "", app, rx.fragment()),
        error_line("second", SecondStepState.error),
        button("Utiliser un code de secours", variant="quiet", on_click=SecondStepState.show_recovery),
        class_name="sign-in-form",
    )


def _recovery() -> rx.Component:
    return rx.el.div(
        factor_form(
            recovery_code("recovery-code", SecondStepState.error),
            button("Valider le code de secours", type="submit"),
            on_refuse=SecondStepState.refuse,
            class_name="sign-in-form",
        ),
        rx.el.p(
            "Vous n’avez plus rien de tout cela\u00a0? Un administrateur du club peut réinitialiser votre double "
            "vérification, dans «\u00a0Administrateurs\u00a0».",
            class_name="sign-in-lead",
        ),
        button("Revenir", variant="quiet", on_click=SecondStepState.hide_recovery),
        class_name="sign-in-form",
    )


def _enrol() -> rx.Component:
    end = external_link("J’ai noté mes codes, continuer", routes.ADMIN, class_name="button button-primary")
    return rx.el.div(
        rx.el.p(
            "Le club demande à ses administrateurs une double vérification. Ajoutez-en une pour continuer\u00a0: une "
            "clé d’accès de votre appareil, ou une application d’authentification.",
            class_name="sign-in-lead",
        ),
        enrolment(end=end),
        class_name="sign-in-form",
    )


PAGES = (Page(route=routes.SECOND_STEP, title=page_title(TITLE), content=content),)
