"""/admin/events/{id}: an event from its preparation to the thanks: answers, mails, the day, what was."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.events.form_part import form_dialog
from clubapp.pages.admin.events.meeting.answers_part import answers_tab
from clubapp.pages.admin.events.meeting.arrival_state import EventArrivalState
from clubapp.pages.admin.events.meeting.day_part import day_tab
from clubapp.pages.admin.events.meeting.header_part import IS_THERE, TITLE, actions, back_link, heading, stage_track
from clubapp.pages.admin.events.meeting.messages_part import messages_tab
from clubapp.pages.admin.events.meeting.review_part import review_tab
from clubapp.pages.admin.events.meeting.state import ANSWERS, DAY, MESSAGES, REVIEW, MeetingState
from clubapp.pages.admin.events.person_part import person_dialog
from clubapp.pages.admin.events.question_part import closing_question, delete_question, notice_question
from clubapp.pages.admin.events.sending_part import send_questions
from clubapp.ui import banner, link_button, page_link, polling, skeleton_lines, takeover, when_there
from clubapp.ui.frame.layouts import admin_layout, screen_main
from clubapp.ui.kit.text import show_if
from clubapp.ui.mail.test_mail_dialog import send_test_dialog
from clubapp.web.screens.page import Page

FOLLOW_MS = 2000
CANCELLED = "Plus rien ne part de lui-même\u00a0; les réponses restent lisibles."
_meeting: Any = MeetingState.meeting


def content() -> rx.Component:
    """The screen."""
    back = link_button("Retour aux événements", routes.ADMIN_EVENTS)
    return admin_layout(
        takeover(True),
        when_there(MeetingState, IS_THERE, _page(), back),
        form_dialog(),
        person_dialog(),
        send_questions(),
        notice_question(),
        delete_question(),
        closing_question(),
        send_test_dialog(),
        title=TITLE,
        heading=heading(),
        back=back_link(),
        actions=actions(),
        on_arrive=EventArrivalState.begin,
    )


def first_paint() -> rx.Component:
    """The placeholder; the document takes the layout around it from another built screen."""
    return screen_main(skeleton_lines(8), title=TITLE, hint=rx.Var.create(""), back=back_link())


def _page() -> rx.Component:
    tabs = rx.el.nav(
        _tab(ANSWERS, "Réponses", _meeting.answered),
        _tab(MESSAGES, "Messages", _meeting.refused),
        _tab(DAY, "Jour\u00a0J"),
        _tab(REVIEW, "Bilan"),
        aria_label="Rubriques de la rencontre",
        class_name="meeting-tabs",
    )
    return rx.el.div(
        show_if(_meeting.is_cancelled, banner("Cette rencontre est annulée", CANCELLED, "amber")),
        stage_track(),
        tabs,
        rx.match(
            MeetingState.tab,
            (MESSAGES, messages_tab()),
            (DAY, day_tab()),
            (REVIEW, review_tab()),
            answers_tab(),
        ),
        polling(FOLLOW_MS, MeetingState.follow),
        class_name="meeting",
        data_event_id=_meeting.id,
    )


def _tab(key: str, text: str, count: Any = "") -> rx.Component:
    address = routes.admin_event(_meeting.id)
    return page_link(
        text,
        " ",
        show_if(count != "", rx.el.span(count, class_name="meeting-tab-count")),
        to=address if key == ANSWERS else f"{address}?onglet={key}",
        prevent_scroll_reset=True,
        aria_current=rx.cond(MeetingState.tab == key, "page", rx.Var("undefined")),
        class_name="meeting-tab",
    )


PAGES = [
    Page(
        route=routes.ADMIN_EVENT,
        title=TITLE,
        content=content,
        on_load=[MeetingState.load],
        prepared_on={routes.ADMIN_TODAY: MeetingState.prepare},
        first_paint=first_paint,
    )
]
