"""The last meetings of a member as dots, and what happened with them."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.members.person_state import MemberRecordState
from clubapp.services.members.person_history import ANSWERS, MAILS, RECORD
from clubapp.ui import button, empty_state, page_link
from clubapp.ui.kit.icon import icon
from clubapp.ui.kit.text import show_if
from clubapp.ui.records.presence_dots import presence_lists
from clubapp.ui.records.reading import timeline

_page: Any = MemberRecordState.page
_KINDS = (("", "Tout"), (ANSWERS, "Réponses"), (MAILS, "Messages"), (RECORD, "Fiche"))


def meetings_panel() -> rx.Component:
    """The row of dots with its legend; nothing before the first meeting whose doors were closed."""
    count = _page.presence.dots.length()
    title = rx.cond(count > 1, f"Les {count.to_string()} dernières rencontres", "Sa dernière rencontre")
    heading = rx.el.h2(title, class_name="reading-title")
    shown = rx.el.section(heading, *presence_lists(_page.presence), class_name="card reading-presence")
    return show_if(count > 0, shown)


def history_panel() -> rx.Component:
    """What happened, the latest first, narrowed by chips."""
    chips = [
        rx.el.button(
            label,
            type="button",
            aria_pressed=rx.cond(MemberRecordState.kind == kind, "true", "false"),
            on_click=MemberRecordState.narrow(kind),
            class_name="chip",
        )
        for kind, label in _KINDS
    ]
    return rx.el.section(
        rx.el.div(
            rx.el.h2("Historique", class_name="reading-title"),
            rx.el.div(*chips, role="group", aria_label="Montrer", class_name="reading-kinds"),
            class_name="reading-head",
        ),
        rx.cond(_page.history, _lines(), empty_state("Rien pour l’instant", "Réponses, messages et changements.")),
        rx.el.div(
            show_if(_page.has_more, button("Plus ancien", variant="secondary", on_click=MemberRecordState.show_older)),
            page_link("Journal des actes", to=routes.acts_of_member(_page.id), class_name="reading-link"),
            class_name="reading-older",
        ),
        class_name="card",
    )


def _lines() -> rx.Component:
    return timeline(_page.history, _drawing)


def _drawing(line: Any) -> Any:
    return rx.match(
        line.kind,
        (MAILS, rx.cond(line.tone == "red", icon("warning", 18), icon("mail", 18))),
        (RECORD, icon("pencil", 18)),
        rx.cond(line.tone == "green", icon("check", 18), icon("calendar", 18)),
    )
