"""The head of an event's page: its day, what it is, how far it is, its stages and the act of the current one."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.events.day.closing_state import ClosingState
from clubapp.pages.admin.events.deletion_state import EventDeletionState
from clubapp.pages.admin.events.detail_state import EventDetailState
from clubapp.pages.admin.events.form_state import EventFormState
from clubapp.pages.admin.events.meeting.state import MeetingState
from clubapp.pages.admin.events.sending_state import EventSendingState
from clubapp.services.events.stages import StageActKind
from clubapp.services.finder.shortcuts import POSTPONE
from clubapp.ui import badge, button, is_in_address, page_link, status_badge
from clubapp.ui.kit.icon import Icon, icon
from clubapp.ui.kit.links import external_link
from clubapp.ui.kit.text import show_if
from clubapp.ui.mail.test_mail_dialog import TestMailState
from clubapp.ui.react.overlays.action_menu import action_menu
from clubapp.ui.records.date_block import date_block
from clubapp.ui.records.stage_cells import stage_cells

TITLE = "Rencontre"
_meeting: Any = MeetingState.meeting
# Its figures are shared with the dialog of the calendar, which may have shown another event since.
IS_THERE = is_in_address(_meeting.id) & (EventDetailState.detail.id == _meeting.id)


def heading() -> rx.Component:
    """The heading of the screen; only the word until the event is read."""
    title = rx.el.h1(rx.cond(IS_THERE, _meeting.title, TITLE), tab_index=-1, class_name="screen-title")
    return rx.el.div(
        show_if(IS_THERE, date_block(_meeting.month, _meeting.day, _meeting.weekday)),
        rx.el.div(title, show_if(IS_THERE, _facts()), class_name="meeting-words"),
        show_if(IS_THERE, _far()),
        class_name="meeting-head",
    )


def _facts() -> rx.Component:
    return rx.el.ul(
        rx.el.li(
            status_badge(_meeting.status, _meeting.status_label, class_name="badge-marked"),
            show_if(_meeting.is_running, badge("En cours", "indigo")),
        ),
        _fact("clock", _meeting.hours),
        _fact("place", _meeting.place),
        show_if(_meeting.host != "", _fact("building", f"Hôte\u00a0: {_meeting.host}")),
        show_if(_meeting.deadline != "", _fact("hourglass", _meeting.deadline)),
        aria_label="En bref",
        class_name="meeting-facts",
    )


def _fact(drawing: Icon, text: Any) -> rx.Component:
    return rx.el.li(icon(drawing, 18), rx.el.span(text))


def _far() -> rx.Component:
    return show_if(
        _meeting.far != "",
        rx.el.p(
            rx.el.strong(_meeting.far, class_name="meeting-far"),
            " ",
            rx.el.span(_meeting.far_hint),
            class_name="meeting-distance",
        ),
    )


def actions() -> list[rx.Component]:
    """'Reporter' while the event is ahead, 'Modifier' and the menu of what is rarer."""
    history = f"{routes.ADMIN_ACTS}?objet=event.{_meeting.id}"
    menu = action_menu(
        "Autres actions",
        _item("Dupliquer", EventFormState.duplicate(_meeting.id)),
        _item("Tester l'email", TestMailState.ask_event(_meeting.id)),
        _item("Imprimer cette page", MeetingState.print_page),
        page_link("Historique", to=history, class_name="action-menu-item"),
        rx.el.button(
            icon("bin", 18),
            "Supprimer",
            type="button",
            on_click=EventDeletionState.ask(_meeting.id),
            class_name="action-menu-item action-menu-danger",
        ),
        class_name="screen-menu",
    )
    edit: Any = EventFormState.edit(_meeting.id)
    modify = button(icon("pencil", 18), "Modifier", variant="secondary", on_click=edit)
    postpone: Any = EventFormState.postpone(_meeting.id)
    later = button(icon("calendar", 18), "Reporter", variant="secondary", on_click=postpone, data_press=POSTPONE)
    shown = rx.fragment(rx.cond(_meeting.can_be_put_off, later, rx.fragment()), modify, menu)
    return [rx.cond(IS_THERE, shown, rx.fragment()), show_if(MeetingState.is_printing, _print())]


def _print() -> rx.Component:
    """Prints once everyone of the list stands on the page."""
    printing = rx.call_function(rx.Var("() => window.print()"))
    return rx.el.span(on_mount=[printing, MeetingState.end_printing], hidden=True)


def back_link() -> rx.Component:
    """To the season."""
    return page_link("Retour aux événements", to=routes.ADMIN_EVENTS)


def _item(text: str, on_click: Any) -> rx.Component:
    return rx.el.button(text, type="button", on_click=on_click, class_name="action-menu-item")


def stage_track() -> rx.Component:
    """The five stages, and the one act that the current one asks for."""
    return rx.el.section(
        stage_cells(_meeting.stages),
        show_if(_meeting.act.key != StageActKind.NOTHING.value, _act()),
        aria_label="Étapes",
        class_name="card stage-track",
    )


def _act() -> rx.Component:
    """Where the act is a dialog of this screen, it opens; else the link leads to where it is done."""
    act, event_id = _meeting.act, _meeting.id
    edit = button(icon("pencil", 18), act.label, on_click=EventFormState.edit(event_id))
    shown = rx.match(
        act.key,
        (StageActKind.WRITE.value, edit),
        (StageActKind.CONFIRM.value, button(icon("pencil", 18), act.label, on_click=EventFormState.confirm(event_id))),
        (StageActKind.INVITE.value, button(icon("mail", 18), act.label, on_click=EventSendingState.ask(event_id))),
        (StageActKind.CLOSE.value, button(icon("lock", 18), act.label, on_click=ClosingState.ask(event_id))),
        (StageActKind.RECEIVE.value, external_link(_linked("arrival", act.label), act.href, class_name=_PRIMARY)),
        (StageActKind.CALL.value, _lead("phone")),
        (StageActKind.THANK.value, _lead("mail")),
        _lead("calendar"),
    )
    return rx.el.div(shown, class_name="stage-act")


_PRIMARY = "button button-primary"


def _lead(drawing: Icon) -> rx.Component:
    return page_link(_linked(drawing, _meeting.act.label), to=_meeting.act.href, class_name=_PRIMARY)


def _linked(drawing: Icon, label: Any) -> rx.Component:
    return rx.fragment(icon(drawing, 18), label)
