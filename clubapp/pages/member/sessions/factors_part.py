"""'Double vérification', beside the sessions: a person's own passkeys, apps and recovery codes (S12)."""

import reflex as rx

from clubapp.services.access.factors import FactorRow
from clubapp.ui import badge, button, confirm_dialog, panel, skeleton_lines, visually_hidden, when_loaded
from clubapp.ui.access.enrolment import enrolment
from clubapp.ui.access.enrolment_state import FactorsState

_LEAD = (
    "En plus de l’e-mail, une clé d’accès ou une application sur votre téléphone\u00a0: une boîte mail volée ne suffit "
    "plus pour se connecter à votre place."
)


def factors_panel() -> rx.Component:
    """The list, and adding to it."""
    return rx.fragment(
        panel(
            "Double vérification",
            rx.el.p(_LEAD, class_name="factors-lead"),
            when_loaded(FactorsState, _own(), skeleton_lines(2), "La double vérification n’a pas pu être chargée"),
            class_name="factors-panel",
        ),
        confirm_dialog(
            f"Retirer «\u00a0{FactorsState.removing_name}\u00a0»\u00a0?",
            "Vous ne pourrez plus vérifier vos connexions par ce moyen.",
            open=FactorsState.removing != "",
            on_confirm=FactorsState.remove,
            on_cancel=FactorsState.keep,
            confirm_label="Retirer",
            danger=True,
        ),
    )


def _own() -> rx.Component:
    end = button("J’ai noté mes codes", on_click=FactorsState.close)
    listed = rx.el.ul(rx.foreach(FactorsState.rows, _row), class_name="session-rows")
    return rx.fragment(
        rx.cond(FactorsState.rows.length() > 0, rx.fragment(listed, _recovery()), rx.fragment()),  # pyright: ignore[reportAttributeAccessIssue]
        enrolment(end=end),
    )


def _row(one: FactorRow) -> rx.Component:
    kind = rx.cond(one.factor_type == "webauthn", "Clé d’accès", "Application")
    used = rx.cond(one.last_used != "", f"Dernier usage le {one.last_used}.", "Pas encore utilisée.")
    return rx.el.li(
        rx.el.div(
            rx.el.p(one.name, " ", badge(kind, "indigo"), class_name="session-browser"),
            rx.el.p("Ajoutée le ", one.since, ". ", used, class_name="muted"),
            class_name="session-what",
        ),
        button(
            "Retirer",
            visually_hidden(f" {one.name}"),
            variant="secondary",
            on_click=FactorsState.ask_to_remove(one.id, one.name),
        ),
        key=one.id,
        class_name="session-row",
    )


def _recovery() -> rx.Component:
    left = rx.match(
        FactorsState.codes_left,
        (0, "Il ne vous reste aucun code de secours."),
        (1, "Il vous reste 1 code de secours."),
        f"Il vous reste {FactorsState.codes_left} codes de secours.",
    )
    renew = button("Refaire mes codes de secours", variant="quiet", on_click=FactorsState.renew_codes)
    return rx.el.div(rx.el.p(left), renew, class_name="factors-recovery")
