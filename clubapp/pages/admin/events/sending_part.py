"""Inviting, in the dialog of an event: the questions before, and what became of each invitation."""

from typing import Any

import reflex as rx

from clubapp.pages.admin.events.detail_state import EventDetailState
from clubapp.pages.admin.events.sending_state import EventSendingState
from clubapp.services.invitations import Excluded
from clubapp.ui import badge, button, confirm_dialog, progress_bar
from clubapp.ui.text import shown_if

ASK_TO_SEND = "Êtes-vous sûr de vouloir envoyer les invitations à tous les membres ?"

_detail = EventDetailState.detail
_sending = EventDetailState.sending
_newcomers = EventDetailState.newcomers


def send_questions() -> rx.Component:
    """Asked before everyone is written to, and before those who came since are."""
    state = EventSendingState
    return rx.fragment(
        confirm_dialog(
            "Envoyer les invitations",
            ASK_TO_SEND,
            open=state.question == "everyone",
            on_confirm=state.send,
            on_cancel=state.cancel,
            confirm_label="Envoyer",
            busy=state.is_busy,
        ),
        confirm_dialog(
            _newcomers.sentence,
            f"Une invitation partira à : {_newcomers.names}.",
            open=state.question == "newcomers",
            on_confirm=state.send_to_newcomers,
            on_cancel=state.cancel,
            confirm_label="Inviter",
            busy=state.is_busy,
        ),
    )


def newcomers() -> rx.Component:
    """Members added, or given an address, since the invitations went out."""
    return shown_if(
        _newcomers.count > 0,
        rx.el.section(
            rx.el.p(_newcomers.sentence, class_name="event-newcomers-line"),
            rx.el.p(_newcomers.names, class_name="event-newcomers-names"),
            button(_newcomers.action, variant="secondary", on_click=EventSendingState.ask_for_newcomers(_detail.id)),
            aria_label="Nouveaux membres",
            class_name="event-newcomers",
        ),
    )


def sending() -> rx.Component:
    """How far the invitations have come."""
    return shown_if(
        _detail.invitation_sent,
        rx.el.section(
            rx.el.h3("Invitations"),
            badge("Invitations envoyées", "green"),
            shown_if(_sending.sentence != "", _progress()),
            shown_if(_sending.excluded, _left_out()),
            class_name="event-sending",
        ),
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
    return shown_if(number > 0, rx.el.li(rx.el.strong(number), f" {meaning}"))


def _left_out() -> rx.Component:
    return rx.el.details(
        rx.el.summary("Membres non invités : ", rx.el.strong(rx.Var.create(_sending.excluded).length())),
        rx.el.ul(rx.foreach(_sending.excluded, _excluded)),
        class_name="event-left-out",
    )


def _excluded(person: Excluded) -> rx.Component:
    return rx.el.li(rx.el.span(person.name), " : ", person.reason)
