"""To whom a mail goes: how many, who, who is left out and why; and the choice of others."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.mailings.writing.state import WritingState
from clubapp.services.mailings.writing import Addressee, NotReached
from clubapp.ui import banner, button, page_link, select, visually_hidden
from clubapp.ui.kit.text import show_if
from clubapp.ui.react.forms.entries_form import entries_form

FEW = 6
_whom: Any = WritingState.whom


def whom_part() -> rx.Component:
    """The people, each of whom can be taken off."""
    return rx.el.section(
        rx.el.div(
            rx.el.h2("À", class_name="writing-to"),
            rx.el.p(
                rx.el.strong(_whom.number, role="status"),
                rx.el.span(_whom.label, class_name="writing-label"),
                class_name="writing-number",
            ),
            class_name="writing-head",
        ),
        rx.cond(
            _whom.count > 0,
            rx.cond(_whom.count > FEW, _folded(), _people()),
            banner("Personne de cette liste ne peut recevoir d’e-mail.", "Choisissez d’autres personnes.", "amber"),
        ),
        show_if(_whom.left_out_label != "", _left_out()),
        show_if(_whom.taken_off.length() > 0, _taken_off()),
        _others(),
        aria_label="Destinataires",
        class_name="card writing-whom",
    )


def _people() -> rx.Component:
    return rx.el.ul(rx.foreach(_whom.chosen, _chip), class_name="writing-chips")


def _folded() -> rx.Component:
    """One line, which leaves the screen to the text."""
    return rx.el.details(
        rx.el.summary("Voir les ", _whom.count), _people(), key=WritingState.draft, class_name="writing-folded"
    )


def _chip(one: Addressee) -> rx.Component:
    return rx.el.li(
        rx.el.span(one.name, class_name="writing-chip-name"),
        show_if(one.is_guest, rx.el.span("invité", class_name="writing-chip-note")),
        rx.el.button(
            rx.el.span("×", aria_hidden="true"),
            visually_hidden(f"Retirer {one.name}"),
            type="button",
            on_click=WritingState.take_off(one.id),
            class_name="writing-chip-remove",
        ),
        key=one.id,
        class_name="writing-chip",
    )


def _left_out() -> rx.Component:
    return rx.el.details(
        rx.el.summary("Ne le recevront pas\u00a0: ", _whom.left_out_label),
        rx.el.ul(rx.foreach(_whom.left_out, _not_reached)),
        class_name="writing-left-out",
    )


def _not_reached(one: NotReached) -> rx.Component:
    name = rx.cond(one.href_id != "", page_link(one.name, to=f"{routes.ADMIN_MEMBERS}/{one.href_id}"), one.name)
    return rx.el.li(name, f"\u00a0: {one.reason}", key=one.id)


def _taken_off() -> rx.Component:
    return rx.el.div(
        rx.el.p("Retirés de la liste", class_name="writing-label"),
        rx.el.ul(rx.foreach(_whom.taken_off, _back), class_name="writing-chips"),
        class_name="writing-taken-off",
    )


def _back(one: Addressee) -> rx.Component:
    return rx.el.li(
        button("Remettre ", one.name, type="button", variant="secondary", on_click=WritingState.put_back(one.id)),
        key=one.id,
    )


def _others() -> rx.Component:
    return rx.el.details(rx.el.summary("Écrire à d’autres personnes"), choice_form(), class_name="writing-others")


def choice_form() -> rx.Component:
    """The choice of everybody, of a domain, or of an answer."""
    return entries_form(
        select("Destinataires", "audience", WritingState.choices, id="choose-audience"),
        rx.el.div(button("Continuer", type="submit", variant="secondary")),
        on_entries=WritingState.choose,
        class_name="form writing-choice",
    )
