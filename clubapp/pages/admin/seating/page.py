"""/admin/events/{id}/tables: who sits at which table; proposed, moved by hand, locked, mixed again, printed."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.seating.parts import table_card, unseated_panel
from clubapp.pages.admin.seating.state import TablesState
from clubapp.ui import button, empty_state, form_row, link_button, panel, polling
from clubapp.ui.frame.event_screen import event_placeholder, event_screen
from clubapp.ui.kit.field import field
from clubapp.ui.kit.text import show_if
from clubapp.ui.react.lists.carrying import carrying
from clubapp.ui.react.lists.keep_focus import keep_focus
from clubapp.web.screens.page import Page

FOLLOW_MS = 2000
TITLE = "Tables"
_plan: Any = TablesState.plan


def content() -> rx.Component:
    """The screen."""
    return event_screen(TablesState, _plan, _seating(), title=TITLE, on_arrive=TablesState.load, is_printed=True)


def first_paint() -> rx.Component:
    """The placeholder."""
    return event_placeholder(TITLE, is_printed=True)


def _seating() -> rx.Component:
    return rx.cond(
        _plan.has_lunch,
        rx.el.div(
            polling(FOLLOW_MS, TablesState.follow),
            rx.el.p(TablesState.said, role="status", class_name="visually-hidden"),
            rx.cond(_plan.expected > 0, _arrangement(), _nobody()),
            class_name="seating",
        ),
        empty_state(
            "Pas de tables pour cet événement",
            "Il est prévu sans déjeuner. Pour placer les personnes à table, cochez le déjeuner dans sa fiche.",
        ),
    )


def _nobody() -> rx.Component:
    return empty_state(
        "Personne à placer pour le moment",
        "Ceux qui viennent déjeuner seront ici dès qu’ils auront répondu, avec leurs invités.",
    )


def _arrangement() -> rx.Component:
    return rx.fragment(
        _setup(),
        keep_focus(
            carrying(
                show_if(_plan.unseated & (_plan.table_count > 0), unseated_panel()),
                rx.el.ul(rx.foreach(_plan.tables, table_card), aria_label="Tables", class_name="seating-tables"),
                on_carried=TablesState.move,
                class_name="seating-board",
            )
        ),
    )


def _setup() -> rx.Component:
    """How many tables; then the one act that the moment asks for."""
    has_tables = _plan.tables
    return panel(
        "Préparation",
        rx.el.form(
            form_row(
                _number("Nombre de tables", "table_count", _plan.table_count, 100),
                _number("Places par table", "seats", _plan.usual_seats, 50),
                rx.cond(
                    has_tables,
                    button("Modifier les tables", type="submit", variant="secondary"),
                    button("Installer les tables", type="submit"),
                ),
            ),
            key=f"{_plan.table_count}-{_plan.usual_seats}",
            on_submit=TablesState.set_tables,
            class_name="seating-form",
        ),
        rx.el.p(_plan.sentence, class_name="seating-sentence"),
        show_if(_plan.undecided != "", rx.el.p(_plan.undecided, class_name="seating-outcome")),
        show_if(_plan.outcome != "", rx.el.p(_plan.outcome, class_name="seating-outcome")),
        show_if(has_tables, _proposing()),
        actions=[link_button("Liste et cartes à imprimer", routes.event_printing(_plan.event_id), variant="quiet")],
        class_name="seating-setup",
    )


def _number(label: str, name: str, value: Any, most: int) -> rx.Component:
    return field(
        label,
        name,
        type="number",
        min=1,
        max=most,
        required=True,
        default_value=value.to_string(),
        input_mode="numeric",
    )


def _proposing() -> rx.Component:
    return rx.el.div(
        button(  # one button with two names, so that it keeps the focus (A7)
            rx.cond(_plan.is_proposed, "Mélanger à nouveau", "Proposer"),
            on_click=TablesState.propose,
            busy=TablesState.is_busy,
            busy_label="Recherche du meilleur placement…",
        ),
        rx.el.p(
            "Chacun avec ceux qu’il n’a pas encore rencontrés, jamais deux fois la même entreprise à une table, "
            "un invité près de qui l’invite. Une place fixée ne change pas. Pour déplacer quelqu’un, glissez son nom, "
            "d’un appui long sur un téléphone, ou choisissez sa table.",
            class_name="muted",
        ),
        class_name="seating-propose",
    )


PAGES = [
    Page(
        route=routes.ADMIN_TABLES,
        title=TITLE,
        content=content,
        on_load=[TablesState.load],
        first_paint=first_paint,
    )
]
