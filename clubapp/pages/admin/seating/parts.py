"""A table with its people, and those who have no seat yet."""

from typing import Any

import reflex as rx

from clubapp.pages.admin.seating.state import TablesState
from clubapp.ui import button, field, visually_hidden
from clubapp.ui.kit.text import show_if
from clubapp.ui.react.lists.held_select import held_select

_plan: Any = TablesState.plan


def table_card(table: Any) -> rx.Component:
    """A table: who sits there, by name, and a form for its name and its seats."""
    return rx.el.li(
        rx.el.div(
            rx.el.h2(table.label, class_name="seating-label"),
            rx.el.span(table.places, visually_hidden(" places prises"), class_name="seating-places"),
            class_name="seating-head",
        ),
        show_if(table.warning != "", rx.el.p(table.warning, class_name="seating-warning")),
        rx.cond(
            table.people,
            rx.el.ul(rx.foreach(table.people, _person), aria_label=table.label, class_name="seating-people"),
            rx.el.p("Personne pour le moment.", class_name="seating-empty muted"),
        ),
        _details(table),
        key=table.position,
        data_table=table.position,
        class_name="card seating-table",
    )


def unseated_panel() -> rx.Component:
    """Who still has no seat."""
    return rx.el.section(
        rx.el.h2("À placer", class_name="seating-label"),
        rx.el.ul(rx.foreach(_plan.unseated, _person), aria_label="À placer", class_name="seating-people"),
        aria_label="À placer",
        data_table=0,
        class_name="card seating-unseated",
    )


def _person(one: Any) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.el.p(one.name, class_name="seating-name"),
            rx.el.p(
                one.company,
                rx.cond((one.company != "") & (one.domain != ""), " · ", ""),
                one.domain,
                class_name="seating-company",
            ),
            show_if(one.apart != "", rx.el.p(one.apart, class_name="seating-warning")),
            class_name="seating-who",
        ),
        show_if(_plan.tables, rx.el.div(_move(one), show_if(one.table != "0", _lock(one)), class_name="seating-tools")),
        key=one.id,
        draggable=True,
        data_person_id=one.id,
        data_locked=rx.cond(one.is_locked, "true", "false"),
        class_name="seating-person",
    )


def _move(one: Any) -> rx.Component:
    return rx.el.label(
        visually_hidden(f"Déplacer {one.name} vers"),
        held_select(
            rx.el.option("À placer", value="0"),
            rx.foreach(_plan.choices, lambda table: _choice(table, one)),
            id=f"move-{one.id}",
            value=one.table,
            settled=TablesState.settled,
            on_choose=lambda position, number: TablesState.move(one.id, position, number),
            class_name="control control-select",
        ),
        class_name="seating-move",
    )


def _choice(table: Any, one: Any) -> rx.Component:
    """A full table is no choice, so that the arrow keys pass it."""
    is_closed = table.is_full & (table.position != one.table)
    label = rx.cond(is_closed, f"{table.label} (complète)", table.label)
    return rx.el.option(label, value=table.position, disabled=is_closed)


def _lock(one: Any) -> rx.Component:
    return rx.el.button(
        "Fixer",
        visually_hidden(f"\u00a0: {one.name}"),
        type="button",
        id=f"lock-{one.id}",
        aria_pressed=rx.cond(one.is_locked, "true", "false"),
        on_click=TablesState.lock(one.id, ~one.is_locked),
        class_name="chip seating-lock",
    )


def _details(table: Any) -> rx.Component:
    return rx.el.details(
        rx.el.summary("Nom et places", visually_hidden(f" de la table {table.position}")),
        rx.el.form(
            field("Nom", "name", id=f"name-{table.position}", default_value=table.name, max_length=40),
            field(
                "Places",
                "seats",
                id=f"seats-{table.position}",
                type="number",
                min=1,
                max=50,
                default_value=table.seats.to_string(),
            ),
            button("Enregistrer", visually_hidden(f" la table {table.position}"), type="submit", variant="secondary"),
            key=f"{table.name}-{table.seats}",
            on_submit=lambda entries: TablesState.change_table(table.position, entries),
            class_name="seating-details",
        ),
    )
