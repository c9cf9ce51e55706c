"""/admin/events: plan the club's monthly event, invite, and follow the answers."""

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.events.calendar_part import calendar_panel
from clubapp.pages.admin.events.detail_part import detail_dialog
from clubapp.pages.admin.events.form_part import form_dialog
from clubapp.pages.admin.events.form_state import EventFormState, SlotState
from clubapp.pages.admin.events.meeting.arrival_state import EventArrivalState
from clubapp.pages.admin.events.person_part import person_dialog
from clubapp.pages.admin.events.question_part import closing_question, delete_question, notice_question
from clubapp.pages.admin.events.season_part import season_panel
from clubapp.pages.admin.events.sending_part import send_questions
from clubapp.pages.admin.events.state import CalendarState
from clubapp.pages.admin.events.upcoming_part import upcoming_events
from clubapp.ui import button
from clubapp.ui.frame.layouts import admin_layout
from clubapp.ui.mail.test_mail_dialog import send_test_dialog
from clubapp.ui.react.forms.draft_form import draft_note
from clubapp.web.screens.page import Page


def content() -> rx.Component:
    """The screen."""
    return admin_layout(
        draft_note(draft="event", on_new=EventFormState.open_new, on_edit=EventFormState.edit),
        rx.el.div(
            rx.el.div(calendar_panel(), upcoming_events(), class_name="events-main"),
            season_panel(),
            class_name="events-screen",
        ),
        form_dialog(),
        detail_dialog(),
        person_dialog(),
        send_questions(),
        notice_question(),
        delete_question(),
        closing_question(),
        send_test_dialog(),
        title="Événements",
        hint=_hint(),
        actions=[button("Nouvel événement", on_click=EventFormState.open_new, data_press="new")],
        on_arrive=[EventArrivalState.begin, SlotState.dismiss],
    )


def _hint() -> rx.Component:
    """What a press does: on a phone, where the calendar opens as agenda, a touch opens an event."""
    return rx.fragment(
        rx.el.span("Cliquez sur une date pour créer un événement (1 événement par mois maximum)", class_name="on-desk"),
        rx.el.span(
            "Touchez un événement pour l’ouvrir, ou, en vue Mois, une date pour en créer un "
            "(1 événement par mois maximum)",
            class_name="on-phone",
        ),
    )


PAGES = [Page(route=routes.ADMIN_EVENTS, title="Événements", content=content, on_load=[CalendarState.load])]
