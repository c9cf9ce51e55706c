"""The fields of the guests of one answer, as every form that names them shows them."""

from typing import Any

import reflex as rx

from clubapp.services.answers.guests import COMPANY, EMAIL, LUNCH, NAME, OWN_WISH, WISH, WITH, WITHOUT
from clubapp.services.base.form_fields import LONGEST_LINE
from clubapp.ui.kit.field import field, label_line
from clubapp.ui.kit.text import Text, show_if

WISH_LABEL = "Souhait pour le repas"
WISH_HINT = "Par exemple «\u00a0végétarien\u00a0». Effacé 30 jours après la rencontre."
_LUNCHES = (("", "Comme le membre"), (WITH, "Déjeune"), (WITHOUT, "Ne déjeune pas"))


def guest_fields(guests: Any, has_lunch: Any, of: Any = "", *, is_document: bool = False) -> rx.Component:
    """A group of fields for each of `guests` (GuestFields). `of` keeps the ids of several forms on one screen apart.

    `is_document`: the server writes it for a browser that may run no script.
    """
    return rx.foreach(guests, lambda guest: _guest(guest, has_lunch, of, is_document))


def own_wish_field(wish: Text, of: Any = "") -> rx.Component:
    """The member's own wish."""
    return field(
        WISH_LABEL,
        OWN_WISH,
        id=f"{OWN_WISH}-{of}",
        hint=WISH_HINT,
        default_value=wish,
        max_length=LONGEST_LINE,
        auto_complete="off",
    )


def _guest(guest: Any, has_lunch: Any, of: Any, is_document: bool) -> rx.Component:
    def line(label: str, name: str, value: Any, error: Any, **props: Any) -> rx.Component:
        return field(
            label,
            name,
            id=f"{name}-{guest.number}-{of}",
            default_value=value,
            max_length=LONGEST_LINE,
            auto_complete="off",
            error=error,
            **props,
        )

    return rx.el.fieldset(
        rx.el.legend(f"Invité {guest.number}", class_name="field-label"),
        line("Nom", NAME, guest.name, guest.wrong_name),
        line("Entreprise", COMPANY, guest.company, guest.wrong_company),
        line("E-mail", EMAIL, guest.email, guest.wrong_email, type="email", input_mode="email"),
        show_if(
            has_lunch,
            rx.el.details(
                rx.el.summary("Son repas"),
                _lunch(guest, of, is_document),
                line(WISH_LABEL, WISH, guest.wish, guest.wrong_wish),
                open=(guest.lunch != "") | (guest.wish != ""),
                class_name="guest-meal",
            ),
        ),
        key=guest.number,
        class_name="guest-fields",
    )


def _lunch(guest: Any, of: Any, is_document: bool) -> rx.Component:
    control_id = f"{LUNCH}-{guest.number}-{of}"
    options = [
        rx.el.option(label, value=value, **({"selected": guest.lunch == value} if is_document else {}))
        for value, label in _LUNCHES
    ]
    chosen = {} if is_document else {"default_value": guest.lunch}
    return rx.el.div(
        label_line("Déjeuner", control_id, False),
        rx.el.select(*options, id=control_id, name=LUNCH, class_name="control control-select", **chosen),
        class_name="field",
    )
