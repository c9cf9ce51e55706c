"""The tab of upcoming events with the subjects of their three mails."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.mailings.state import EmailsState
from clubapp.pages.admin.mailings.template_state import TemplateState
from clubapp.services.mailings.overview import EventMails
from clubapp.ui import badge, button, card, empty_state, link_button, status_badge, visually_hidden
from clubapp.ui.kit.text import show_if


def events_panel() -> rx.Component:
    """The events, or a link to the events screen."""
    return rx.cond(
        EmailsState.mailings.events,
        rx.el.ul(rx.foreach(EmailsState.mailings.events, _event), class_name="mail-rows"),
        empty_state(
            "Aucun événement à venir",
            "Les e-mails d’un événement se préparent une fois sa date choisie.",
            link_button("Aller aux événements", to=routes.ADMIN_EVENTS),
        ),
    )


def _event(event: EventMails) -> rx.Component:
    cancelled = show_if(event.status == "cancelled", status_badge(event.status, event.status_label))
    sent = show_if(event.invitation_sent, badge("Invitations envoyées", "green"))
    return rx.el.li(
        rx.el.div(
            rx.el.h2(event.title, class_name="mail-title"),
            rx.el.div(cancelled, sent, class_name="mail-badges"),
            class_name="event-row-head",
        ),
        rx.el.p(event.date, class_name="event-row-date"),
        rx.el.div(
            _subject("E-mail initial", event.invitation),
            _subject("1re relance", event.first_reminder),
            _subject("2e relance", event.second_reminder),
            class_name="mail-subjects",
        ),
        rx.el.div(
            button(
                "Modifier les templates",
                visually_hidden(f"\u00a0: {event.title}"),
                variant="secondary",
                on_click=TemplateState.open(event.event_id),
            ),
            class_name="mail-row-actions",
        ),
        key=event.event_id,
        data_event_id=event.event_id,
        class_name="mail-row",
    )


def _subject(name: str, subject: Any) -> rx.Component:
    return card(
        rx.el.p(name, class_name="mail-kind"), rx.el.p(subject, class_name="mail-subject"), class_name="mail-card"
    )
