"""/admin/emails: the mails of each event, and the broadcasts (specification, section 2)."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.emails.state import EmailsState
from clubapp.services.mailings import BroadcastRow, EventMails
from clubapp.ui import badge, card, empty_state, link_button, spinner, tabs
from clubapp.ui.layouts import admin_layout
from clubapp.web.page import Page

_HISTORY = "Nouvel email vierge"


def content() -> rx.Component:
    """The screen."""
    panels = tabs(
        [
            ("events", "Automatisation email par événement", _events()),
            ("broadcasts", _HISTORY, _broadcasts()),
        ],
        label="Emails",
    )
    return admin_layout(rx.cond(EmailsState.is_loaded, panels, spinner()), title="Gestion des Emails")


def _events() -> rx.Component:
    return rx.cond(
        EmailsState.mailings.events,
        rx.el.ul(rx.foreach(EmailsState.mailings.events, _event), class_name="mail-rows"),
        empty_state(
            "Aucun événement à venir",
            "Les mails d'un événement se préparent une fois sa date choisie.",
            link_button("Aller aux événements", to=routes.ADMIN_EVENTS),
        ),
    )


def _event(event: EventMails) -> rx.Component:
    sent = rx.cond(event.invitation_sent, badge("Invitations envoyées", "green"), rx.fragment())
    return rx.el.li(
        rx.el.div(rx.el.h2(event.title, class_name="mail-title"), sent, class_name="event-row-head"),
        rx.el.p(event.date, class_name="event-row-date"),
        rx.el.div(
            _subject("Email initial", event.invitation),
            _subject("1ère relance", event.first_reminder),
            _subject("2ème relance", event.second_reminder),
            class_name="mail-subjects",
        ),
        key=event.event_id,
        data_event_id=event.event_id,
        class_name="mail-row",
    )


def _subject(name: str, subject: Any) -> rx.Component:
    return card(
        rx.el.p(name, class_name="mail-kind"), rx.el.p(subject, class_name="mail-subject"), class_name="mail-card"
    )


def _broadcasts() -> rx.Component:
    return rx.cond(
        EmailsState.mailings.broadcasts,
        rx.el.ul(rx.foreach(EmailsState.mailings.broadcasts, _broadcast), class_name="mail-rows"),
        empty_state("Aucun email envoyé", "Les dix derniers emails libres apparaîtront ici."),
    )


def _broadcast(broadcast: BroadcastRow) -> rx.Component:
    sent = rx.cond(broadcast.is_sent, badge("Envoyé", "green"), rx.fragment())
    return rx.el.li(
        rx.el.div(rx.el.h2(broadcast.subject, class_name="mail-title"), sent, class_name="event-row-head"),
        rx.el.p(broadcast.line, class_name="event-row-date"),
        rx.el.p(broadcast.content, class_name="mail-excerpt"),
        key=broadcast.id,
        class_name="mail-row",
    )


PAGES = [Page(route=routes.ADMIN_EMAILS, title="Gestion des Emails", content=content, on_load=[EmailsState.load])]
