"""The two forms of the sign-in card: address and code."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.public.sign_in.state import SignInState
from clubapp.ui import banner, button, external_link, field, page_link
from clubapp.ui.react.frame.factor import passkey_button
from clubapp.ui.react.frame.session import code_form
from clubapp.ui.react.lists.focus_heading import focus_heading

UNSENT = (
    "Le site ne répond pas\u00a0: rien n’a été envoyé. Votre saisie reste ici\u00a0; réessayez quand la connexion sera "
    "revenue."
)


def signed_in_panel() -> rx.Component:
    """For a person who is already signed in: the link to their area."""
    return banner(
        "Votre session est déjà ouverte",
        SignInState.signed_in_as,
        "green",
        external_link("Ouvrir mon espace", SignInState.home, class_name="button button-secondary"),
        class_name="sign-in-already",
    )


def request_form(**props: Any) -> rx.Component:
    """The form that requests a sign-in mail; `props` are props of the form."""
    return rx.el.form(
        rx.el.p("Pas de mot de passe\u00a0: nous vous envoyons un lien de connexion.", class_name="sign-in-lead"),
        field(
            "Adresse e-mail",
            "email",
            type="email",
            required=True,
            placeholder="prenom@entreprise.fr",
            auto_complete="email",
            default_value=SignInState.email,
            error=SignInState.error,
        ),
        button(
            "Se connecter par email",
            type="submit",
            busy=SignInState.is_sending,
            busy_label="Envoi en cours...",
            class_name="sign-in-button",
        ),
        rx.cond(
            SignInState.nonce != "",
            button("J’ai déjà reçu un code", variant="quiet", on_click=SignInState.show_code),
            rx.fragment(),
        ),
        on_submit=SignInState.send,
        class_name="sign-in-form",
        **props,
    )


def passkey_part() -> rx.Component:
    """Signing in without a mail, with a passkey of this device or a security key (S12)."""
    return rx.el.div(
        passkey_button(
            "Se connecter avec une clé d’accès",
            act="sign_in",
            on_refuse=SignInState.refuse_passkey,
            class_name="button button-secondary sign-in-button",
        ),
        rx.cond(
            SignInState.passkey_error != "",
            rx.el.p(SignInState.passkey_error, class_name="field-error", role="alert"),
            rx.fragment(),
        ),
        class_name="sign-in-passkey",
    )


def link_sent_panel() -> rx.Component:
    """What to do after the mail was sent, and the form for its code."""
    return rx.el.div(
        rx.cond(SignInState.is_sent, _sent(), rx.fragment()),
        _code(),
        rx.el.div(
            rx.cond(SignInState.is_sent, _again(), rx.fragment()),
            button("Changer d’adresse", variant="quiet", on_click=SignInState.change_address),
            class_name="sign-in-again",
        ),
        rx.cond(SignInState.error != "", rx.el.p(SignInState.error, class_name="field-error", role="alert")),
        class_name="sign-in-form",
    )


def have_code_link() -> rx.Component:
    """For a browser that has asked for a mail: the way to the form of its code."""
    link = page_link("J’ai déjà reçu un code", to=f"{routes.SIGN_IN}?etape=code", class_name="button button-quiet")
    return rx.cond(SignInState.has_code, link, rx.fragment())


def plain_code_panel() -> rx.Component:
    """The same as `link_sent_panel` for a browser whose forms are plain ones."""
    return rx.el.div(
        _sent_to(rx.el.h2("Email envoyé !", class_name="sign-in-sent")),
        _plain_form(*_code_fields(), class_name="sign-in-code"),
        rx.el.div(
            _plain_form(
                rx.el.input(type="hidden", name="email", default_value=SignInState.email),
                button("Renvoyer un email", type="submit", variant="secondary"),
            ),
            page_link("Changer d’adresse", to=routes.SIGN_IN, class_name="button button-quiet"),
            class_name="sign-in-again",
        ),
        rx.cond(SignInState.error != "", rx.el.p(SignInState.error, class_name="field-error", role="alert")),
        class_name="sign-in-form",
    )


def _plain_form(*children: Any, class_name: str = "") -> rx.Component:
    return rx.el.form(*children, method="post", action=routes.SIGN_IN, class_name=class_name, data_unsent=UNSENT)


def _sent() -> rx.Component:
    return _sent_to(focus_heading("Email envoyé !", class_name="sign-in-sent"))


def _sent_to(heading: rx.Component) -> rx.Component:
    return rx.el.div(
        heading,
        rx.el.p("Vérifiez votre boîte mail et cliquez sur le lien de connexion."),
        rx.el.p("Envoyé à ", rx.el.strong(SignInState.email), class_name="sign-in-address"),
        role="status",
    )


def _again() -> rx.Component:
    return button(
        "Renvoyer un email",
        variant="secondary",
        busy=SignInState.is_sending,
        busy_label="Envoi en cours...",
        on_click=SignInState.send_again,
    )


def _code() -> rx.Component:
    return code_form(*_code_fields(), on_refuse=SignInState.refuse_code, class_name="sign-in-code")


def _code_fields() -> tuple[rx.Component, ...]:
    return (
        field(
            "Ou saisissez le code à 6 chiffres reçu par e-mail",
            "code",
            required=True,
            auto_complete="one-time-code",
            input_mode="numeric",
            max_length=7,
            default_value=SignInState.code,
            error=SignInState.code_error,
        ),
        button("Valider le code", type="submit"),
    )
