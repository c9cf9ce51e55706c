"""The fields of the guests of one answer, as every form that names them shows them."""

from typing import Any

import reflex as rx

from clubapp.services.answers.guests import COMPANY, EMAIL, LUNCH, NAME, OWN_WISH, WISH, WITH, WITHOUT
from clubapp.services.base.form_fields import LONGEST_LINE
from clubapp.ui.kit.field import field, label_line
from clubapp.ui.kit.text import Text, show_if

WISH_LABEL = "Souhait pour le repas"
WISH_HINT = "Par exemple «\u00a0végétarien\u00a0». Effacé 30 jours après la rencontre."
NOTHING_REQUIRED = (
    "Rien n’est obligatoire. Avec une adresse, votre invité reçoit la rencontre pour son agenda, et peut se désister "
    "lui-même."
)
AS_YOU, AS_MEMBER = "Comme vous", "Comme le membre"


def naming_label(guests: Any, named: Any) -> Any:
    """What leads to the form, for this number of guests, of whom so many are named."""
    ask = rx.cond(guests > 1, "Nommer vos invités", "Nommer votre invité")
    return rx.cond(named > 0, rx.cond(guests > 1, "Modifier vos invités", "Modifier votre invité"), ask)


def guest_fields(
    guests: Any, has_lunch: Any, of: Any = "", *, unsaid: str = AS_YOU, errors: Any = None, is_document: bool = False
) -> rx.Component:
    """A group of fields for each of `guests` (GuestFields). `of` keeps the ids of several forms on one screen apart.

    `unsaid` names the lunch that follows the member's. `errors` is a Var of those of `InvalidForm`, where a state keeps
    them. `is_document`: the server writes it for a browser that may run no script.
    """
    said: dict[str, Any] = {"unsaid": unsaid, "errors": errors, "is_document": is_document}
    return rx.foreach(guests, lambda guest: _guest(guest, has_lunch, of, **said))


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


def _guest(guest: Any, has_lunch: Any, of: Any, *, unsaid: str, errors: Any, is_document: bool) -> rx.Component:
    def line(label: str, name: str, value: Any, wrong: Any, **props: Any) -> rx.Component:
        key = f"{name}_{guest.number}"
        return field(
            label,
            name,
            id=f"{name}-{guest.number}-{of}",
            default_value=value,
            max_length=LONGEST_LINE,
            auto_complete="off",
            error=wrong if errors is None else rx.cond(errors.contains(key), errors[key], ""),
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
                _lunch(guest, of, unsaid, is_document),
                line(WISH_LABEL, WISH, guest.wish, guest.wrong_wish),
                open=(guest.lunch != "") | (guest.wish != ""),
                class_name="guest-meal",
            ),
        ),
        key=guest.number,
        class_name="guest-fields",
    )


def _lunch(guest: Any, of: Any, unsaid: str, is_document: bool) -> rx.Component:
    control_id = f"{LUNCH}-{guest.number}-{of}"
    options = [
        rx.el.option(label, value=value, **({"selected": guest.lunch == value} if is_document else {}))
        for value, label in (("", unsaid), (WITH, "Déjeune"), (WITHOUT, "Ne déjeune pas"))
    ]
    chosen = {} if is_document else {"default_value": guest.lunch}
    return rx.el.div(
        label_line("Déjeuner", control_id, False),
        rx.el.select(*options, id=control_id, name=LUNCH, class_name="control control-select", **chosen),
        class_name="field",
    )
