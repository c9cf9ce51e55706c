"""The dialog of a recent proof, part of the layout of both areas (S13)."""

import reflex as rx

from clubapp import routes
from clubapp.ui.access.code_fields import recovery_code, six_digits
from clubapp.ui.kit.button import button
from clubapp.ui.kit.dialog import dialog
from clubapp.ui.kit.field import error_line
from clubapp.ui.react.frame.factor import factor_form, passkey_button
from clubapp.ui.react.frame.session import code_form
from clubapp.web.screens.proof import ProofState

TITLE = "C’est bien vous\u00a0?"
_WHY = "Cette action demande une preuve récente de votre identité. Rien de ce que vous avez saisi n’est perdu."


def proof_dialog() -> rx.Component:
    """Asks for a passkey, a code of an app, a recovery code, or a code by mail; then what was pressed is done."""
    has_factor = (ProofState.passkey_id != "") | (ProofState.app_id != "")
    # It asks about what was pressed on the screen before it, not about another one or one that is opened anew.
    left = rx.el.span(on_mount=ProofState.close, hidden=True)
    asked = dialog(
        TITLE,
        rx.cond(has_factor, rx.cond(ProofState.has_lost, _recovery(), _factors()), _mail()),
        rx.cond(ProofState.has_lost, rx.fragment(), error_line("proof", ProofState.error)),
        open=ProofState.is_open,
        on_close=ProofState.close,
        description=_WHY,
        class_name="proof-dialog",
        leaves_on_back=True,
    )
    return rx.fragment(left, asked)


def _factors() -> rx.Component:
    key = passkey_button(
        "Utiliser ma clé d’accès",
        act="verify",
        factor_id=ProofState.passkey_id,
        on_accept=ProofState.accept,
        on_refuse=ProofState.refuse,
        class_name="button button-primary",
    )
    app = factor_form(
        six_digits("Code de votre application", "proof-app"),
        button("Confirmer", type="submit", variant="secondary"),
        factor_id=ProofState.app_id,
        on_accept=ProofState.accept,
        on_refuse=ProofState.refuse,
        class_name="code-line",
    )
    return rx.fragment(
        rx.cond(ProofState.passkey_id != "", key, rx.fragment()),
        rx.cond(ProofState.app_id != "", app, rx.fragment()),
        button("Utiliser un code de secours", variant="quiet", on_click=ProofState.show_recovery),
    )


def _recovery() -> rx.Component:
    form = factor_form(
        recovery_code("proof-recovery", ProofState.error),
        button("Confirmer", type="submit"),
        on_accept=ProofState.accept,
        on_refuse=ProofState.refuse,
        class_name="sign-in-form",
    )
    return rx.fragment(form, button("Revenir", variant="quiet", on_click=ProofState.hide_recovery))


def _mail() -> rx.Component:
    offer = button(
        "Recevoir un code par e-mail",
        busy=ProofState.is_sending,
        busy_label="Envoi en cours...",
        on_click=ProofState.send_code,
    )
    told = rx.el.p("Un code est parti à ", rx.el.strong(ProofState.email), ".", role="status")
    form = code_form(
        six_digits("Code à 6 chiffres reçu par e-mail", "proof-mail"),
        button("Confirmer", type="submit", variant="secondary"),
        path=routes.RENEW,
        nonce=ProofState.nonce,
        on_accept=ProofState.accept_code,
        on_refuse=ProofState.refuse,
        class_name="code-line",
    )
    return rx.cond(ProofState.nonce != "", rx.fragment(told, form), offer)
