"""The tab of the mails: the three texts with their moments, what else left, and the way to the journal."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.events.detail_state import EventDetailState
from clubapp.pages.admin.events.meeting.state import MeetingState
from clubapp.pages.admin.events.sending_part import change_notice_progress, newcomers_notice, sending_notice
from clubapp.ui import empty_state, link_button, page_link, skeleton_lines
from clubapp.ui.kit.icon import icon
from clubapp.ui.kit.text import show_if

_meeting: Any = MeetingState.meeting
_mails: Any = MeetingState.mails


def messages_tab() -> rx.Component:
    """The tab."""
    failed = rx.el.p(
        icon("warning"),
        rx.el.span(
            rx.cond(
                _mails.failed > 1,
                f"{_mails.failed.to_string()} messages n’ont pas pu être remis.",
                "1 message n’a pas pu être remis.",
            )
        ),
        page_link("Voir et corriger", to=f"{routes.journal_of(_meeting.id)}&etat=failed", class_name="link"),
        class_name="meeting-fault",
    )
    shown = rx.el.div(
        show_if(_mails.failed > 0, failed),
        newcomers_notice(),
        _texts(),
        rx.el.div(
            show_if(EventDetailState.sending.sentence != "", sending_notice()),
            change_notice_progress(),
            class_name="meeting-sendings",
        ),
        _others(),
        class_name="meeting-stack",
    )
    return rx.cond(_mails.event_id == _meeting.id, shown, skeleton_lines(8))


def _texts() -> rx.Component:
    return rx.el.section(
        rx.el.div(
            rx.el.h2("Ses trois textes", class_name="meeting-card-title"),
            rx.el.span(
                page_link("Modifier les textes", to=routes.event_texts(_meeting.id), class_name="link"),
                page_link("Régler les envois à venir", to=routes.ADMIN_PLANNED, class_name="link"),
                class_name="meeting-links",
            ),
            class_name="meeting-card-head",
        ),
        rx.el.ol(rx.foreach(_mails.texts, _text), class_name="meeting-rows"),
        class_name="card meeting-list",
    )


def _text(text: Any) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.el.p(rx.el.strong(text.name), rx.el.span(text.state_label, class_name=f"badge badge-{text.tone}")),
            rx.el.p(text.subject, class_name="meeting-row-detail"),
            class_name="meeting-row-words",
        ),
        rx.el.div(
            show_if(text.moment != "", rx.el.p(text.moment, class_name="meeting-row-moment")),
            show_if(text.detail != "", rx.el.p(text.detail, class_name="meeting-row-detail")),
            class_name="meeting-row-side",
        ),
        key=text.key,
        data_mail=text.key,
        data_state=text.state,
    )


def _others() -> rx.Component:
    nothing = empty_state(
        "Rien d’autre n’est parti", "Confirmations, changements annoncés et nombres du traiteur viennent ici."
    )
    return rx.el.section(
        rx.el.div(
            rx.el.h2("Autres messages partis", class_name="meeting-card-title"),
            link_button("Journal de la rencontre", routes.journal_of(_meeting.id), variant="secondary"),
            class_name="meeting-card-head",
        ),
        rx.cond(_mails.sent, rx.el.ul(rx.foreach(_mails.sent, _sent), class_name="meeting-rows"), nothing),
        class_name="card meeting-list",
    )


def _sent(sent: Any) -> rx.Component:
    return rx.el.li(
        rx.el.div(rx.el.p(rx.el.strong(sent.label)), class_name="meeting-row-words"),
        rx.el.div(
            rx.el.p(sent.last, class_name="meeting-row-moment"),
            rx.el.p(sent.counts, class_name="meeting-row-detail"),
            class_name="meeting-row-side",
        ),
        key=sent.kind,
        data_mail=sent.kind,
        data_fault=sent.failed > 0,
    )
