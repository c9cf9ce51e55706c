"""The detail of an event in its dialog, and the questions asked before sending and deleting."""

from typing import Any

import reflex as rx

from clubapp.pages.admin.events.detail_state import EventDetailState
from clubapp.pages.admin.events.form_state import EventFormState
from clubapp.services.event_views import Speaker
from clubapp.services.invitations import Excluded
from clubapp.ui import (
    badge,
    button,
    confirm_dialog,
    dialog,
    progress_bar,
    stat_tile,
    stat_tiles,
    status_badge,
    ticker,
)

FOLLOW_MS = 1000
ASK_TO_SEND = "Êtes-vous sûr de vouloir envoyer les invitations à tous les membres ?"
ASK_TO_DELETE = "Êtes-vous sûr de vouloir supprimer cet événement ? Cette action est irréversible."

_detail = EventDetailState.detail
_sending = EventDetailState.sending


def detail_dialog() -> rx.Component:
    """Everything about one event; it follows the answers and the sending while it is open."""
    return dialog(
        _detail.title,
        ticker(FOLLOW_MS, EventDetailState.follow),
        _notice(),
        _facts(),
        _answers(),
        _invitations(),
        _about(),
        _actions(),
        open=EventDetailState.is_open,
        on_close=EventDetailState.close,
        backdrop_closes=True,
        data_event_id=rx.cond(EventDetailState.is_open, _detail.id, None),
        class_name="event-sheet",
    )


def send_question() -> rx.Component:
    """Asked once, before everyone is written to."""
    return confirm_dialog(
        "Envoyer les invitations",
        ASK_TO_SEND,
        open=EventDetailState.question == "send",
        on_confirm=EventDetailState.send(EventDetailState.subject),
        on_cancel=EventDetailState.cancel,
        confirm_label="Envoyer",
        busy=EventDetailState.is_busy,
    )


def delete_question() -> rx.Component:
    """Asked before what cannot be undone."""
    return confirm_dialog(
        "Supprimer l'événement",
        ASK_TO_DELETE,
        open=EventDetailState.question == "delete",
        on_confirm=EventDetailState.delete(EventDetailState.subject),
        on_cancel=EventDetailState.cancel,
        confirm_label="Supprimer",
        danger=True,
        busy=EventDetailState.is_busy,
    )


def _shown(text: Any, component: rx.Component) -> rx.Component:
    return rx.cond(text != "", component, rx.fragment())


def _facts() -> rx.Component:
    return rx.el.div(
        status_badge(_detail.status, _detail.status_label),
        rx.el.p(_detail.date, class_name="event-date"),
        rx.el.p(_detail.location, class_name="event-place"),
        _shown(_detail.address, rx.el.p(_detail.address, class_name="event-address")),
        class_name="event-facts",
    )


def _about() -> rx.Component:
    return rx.fragment(
        _shown(
            _detail.description,
            rx.el.section(rx.el.h3("Description"), rx.el.p(_detail.description, class_name="event-description")),
        ),
        rx.cond(
            _detail.speakers,
            rx.el.section(
                rx.el.h3("Intervenants"),
                rx.el.ul(rx.foreach(_detail.speakers, _speaker), class_name="event-speakers"),
            ),
            rx.fragment(),
        ),
    )


def _speaker(speaker: Speaker) -> rx.Component:
    return rx.el.li(
        rx.el.p(speaker.name, class_name="event-speaker-name"),
        _shown(speaker.line, rx.el.p(speaker.line, class_name="event-speaker-line")),
        _shown(speaker.bio, rx.el.p(speaker.bio, class_name="event-speaker-bio")),
    )


def _answers() -> rx.Component:
    stats = _detail.stats
    return rx.el.section(
        rx.el.h3("Réponses"),
        stat_tiles(
            stat_tile(stats.total_attending, "Présents", "total_attending"),
            stat_tile(stats.total_not_attending, "Absents", "total_not_attending"),
            stat_tile(stats.total_no_response, "Pas de réponse", "total_no_response"),
            rx.cond(
                _detail.has_lunch,
                stat_tile(stats.total_with_lunch, "Avec déjeuner", "total_with_lunch"),
                rx.fragment(),
            ),
            stat_tile(stats.total_guests, "Invités", "total_guests"),
            stat_tile(stats.total_invited, "Total contactés", "total_invited"),
        ),
        _shown(_detail.capacity, _capacity()),
    )


def _capacity() -> rx.Component:
    return rx.el.div(
        rx.el.p(_detail.capacity, class_name="event-capacity-line"),
        progress_bar(_detail.stats.total_attending, _detail.max_participants, "Places prises"),
        class_name="event-capacity",
    )


def _invitations() -> rx.Component:
    return rx.cond(
        _detail.invitation_sent,
        rx.el.section(
            rx.el.h3("Invitations"),
            badge("Invitations envoyées", "green"),
            _shown(_sending.sentence, _progress()),
            rx.cond(_sending.excluded, _left_out(), rx.fragment()),
            class_name="event-sending",
        ),
        rx.fragment(),
    )


def _progress() -> rx.Component:
    return rx.el.div(
        rx.el.p(_sending.sentence, role="status", class_name="event-sending-line"),
        progress_bar(_sending.sent, _sending.recipients, "Invitations envoyées"),
        rx.el.ul(
            _count(_sending.pending, "en attente"),
            _count(_sending.failed, "en échec : l'adresse a été refusée"),
            _count(_sending.uncertain, "incertain : l'envoi a été coupé, peut-être reçu, jamais renvoyé tout seul"),
            _count(_sending.withdrawn, "retiré : l'invitation n'avait plus lieu d'être"),
            class_name="event-sending-counts",
        ),
    )


def _count(number: Any, meaning: str) -> rx.Component:
    return rx.cond(number > 0, rx.el.li(rx.el.strong(number), f" {meaning}"), rx.fragment())


def _left_out() -> rx.Component:
    return rx.el.details(
        rx.el.summary("Membres non invités : ", rx.el.strong(rx.Var.create(_sending.excluded).length())),
        rx.el.ul(rx.foreach(_sending.excluded, _excluded)),
        class_name="event-left-out",
    )


def _excluded(person: Excluded) -> rx.Component:
    return rx.el.li(rx.el.span(person.name), " : ", person.reason)


def _notice() -> rx.Component:
    notice = EventDetailState.notice
    text = _shown(notice.text, rx.el.p(notice.text, class_name="banner-text"))
    title = rx.el.p(notice.title, class_name="banner-title")
    return rx.el.div(
        rx.cond(notice.tone == "green", rx.el.div(title, text, class_name="banner banner-green"), rx.fragment()),
        rx.cond(notice.tone == "red", rx.el.div(title, text, class_name="banner banner-red"), rx.fragment()),
        role="status",
        class_name="event-notice",
    )


def _actions() -> rx.Component:
    return rx.el.div(
        rx.cond(
            _detail.can_send,
            button("Envoyer les invitations", on_click=EventDetailState.ask_to_send(_detail.id)),
            rx.fragment(),
        ),
        button(
            "Modifier",
            variant="secondary",
            on_click=[EventDetailState.close, EventFormState.edit(_detail.id)],
        ),
        button("Supprimer", variant="danger", on_click=EventDetailState.ask_to_delete(_detail.id)),
        class_name="event-sheet-actions",
    )
