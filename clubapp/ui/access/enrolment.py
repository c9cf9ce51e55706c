"""Adding a second factor: a passkey or an app, then the recovery codes (S12)."""

from typing import Any

import reflex as rx

from clubapp.ui.access.code_fields import six_digits
from clubapp.ui.access.enrolment_state import FactorsState
from clubapp.ui.kit.button import button
from clubapp.ui.kit.field import error_line, field, form_actions
from clubapp.ui.react.frame.factor import factor_form, passkey_button
from clubapp.ui.react.lists.focus_heading import focus_heading

_KEEP = (
    "Chacun remplace une fois votre clé ou votre application si vous la perdez. Notez-les ou imprimez-les "
    "maintenant\u00a0: ils ne seront plus affichés."
)


def enrolment(*, end: rx.Component) -> Any:
    """The choice of a factor, and the steps of adding one. `end` is the button below the recovery codes."""
    return rx.match(FactorsState.step, ("key", _key()), ("app", _app()), ("codes", _codes(end)), _choice())


def _choice() -> rx.Component:
    return rx.el.div(
        button("Ajouter une clé d’accès", variant="secondary", on_click=FactorsState.begin_key),
        button("Ajouter une application", variant="secondary", on_click=FactorsState.begin_app),
        class_name="form-actions",
    )


def _key() -> rx.Component:
    return rx.el.form(
        focus_heading("Ajouter une clé d’accès", class_name="factor-title"),
        rx.el.p(
            "Votre appareil vous demandera votre empreinte, votre visage, son code, ou une clé de sécurité.",
            class_name="muted",
        ),
        field(
            "Nom de cette clé",
            "friendly_name",
            hint="Pour la reconnaître dans la liste, par exemple «\u00a0Téléphone\u00a0».",
            max_length=60,
            auto_complete="off",
        ),
        error_line("factor-key", FactorsState.error),
        form_actions(
            passkey_button(
                "Enregistrer la clé",
                act="enrol",
                on_accept=FactorsState.finish,
                on_refuse=FactorsState.refuse,
                class_name="button button-primary",
            ),
            _cancel(),
        ),
        class_name="factor-form",
    )


def _app() -> rx.Component:
    return factor_form(
        focus_heading("Ajouter une application", class_name="factor-title"),
        rx.el.p(
            "Scannez ce code avec votre application d’authentification, puis saisissez les 6 chiffres qu’elle affiche.",
            class_name="muted",
        ),
        rx.el.img(src=FactorsState.qr_code, alt="Code QR à scanner", width="185", height="185", class_name="factor-qr"),
        rx.el.p("Ou recopiez cette clé\u00a0: ", rx.el.code(FactorsState.secret, class_name="factor-secret")),
        six_digits("Code affiché par l’application", "factor-code", FactorsState.error),
        form_actions(button("Vérifier le code", type="submit"), _cancel()),
        factor_id=FactorsState.factor_id,
        on_accept=FactorsState.finish,
        on_refuse=FactorsState.refuse,
        class_name="factor-form",
    )


def _codes(end: rx.Component) -> rx.Component:
    return rx.el.div(
        focus_heading("Vos dix codes de secours", class_name="factor-title"),
        rx.el.p(_KEEP),
        rx.el.ol(rx.foreach(FactorsState.codes, lambda code: rx.el.li(code, key=code)), class_name="factor-codes"),
        form_actions(end),
        class_name="factor-form",
    )


def _cancel() -> rx.Component:
    return button("Annuler", variant="quiet", on_click=FactorsState.close)
