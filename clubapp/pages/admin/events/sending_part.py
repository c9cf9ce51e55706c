"""Sending invitations: test mail, questions before, progress."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.events.detail_state import EventDetailState
from clubapp.pages.admin.events.sending_state import EventSendingState
from clubapp.services.events.invitations import Excluded
from clubapp.ui import badge, button, checkbox, confirm_dialog, page_link, progress_bar
from clubapp.ui.kit.button import Variant
from clubapp.ui.kit.text import show_if
from clubapp.ui.mail.delivery_counts import delivery_counts
from clubapp.ui.mail.preview import mail_preview, preview_head, preview_subject
from clubapp.ui.mail.test_mail_dialog import TestMailState
from clubapp.ui.react.overlays.modal import modal

ASK_TO_SEND = "Êtes-vous sûr de vouloir envoyer les invitations à tous les membres ?"
INVITATION_WITHDRAWN = ("l’invitation n’avait plus lieu d’être", "les invitations n’avaient plus lieu d’être")
NOTICE_WITHDRAWN = ("le message n’avait plus lieu d’être", "les messages n’avaient plus lieu d’être")

_detail = EventDetailState.detail
_sending = EventDetailState.sending
_newcomers = EventDetailState.newcomers
_last_notice: Any = EventDetailState.last_notice


def send_questions() -> rx.Component:
    """The questions before everyone is invited, and before newcomers are."""
    state = EventSendingState
    return rx.fragment(
        _everyone_question(),
        confirm_dialog(
            _newcomers.sentence,
            f"Une invitation partira à\u00a0: {_newcomers.names}.",
            open=state.question == "newcomers",
            on_confirm=state.send_to_newcomers,
            on_cancel=state.cancel,
            confirm_label="Inviter",
            busy=state.is_busy,
        ),
    )


def _everyone_question() -> rx.Component:
    """To how many, who is left out and why, the mail itself, and whether the event becomes confirmed."""
    state, plan = EventSendingState, EventSendingState.plan
    status = checkbox(
        "Passer l’événement au statut «\u00a0Confirmé\u00a0»",
        "confirms",
        checked=state.confirms,
        on_change=state.tick_confirmed,
    )
    look = rx.cond(
        state.mail.html == "",
        button("Voir l’e-mail", variant="quiet", on_click=state.look),
        mail_preview(state.mail, preview_head(("À", rx.el.dd(state.mail.addressee)), preview_subject(state.mail))),
    )
    return modal(
        rx.el.p(rx.el.strong(plan.event)),
        rx.el.p(plan.sentence, class_name="sending-count"),
        _left_out(plan.excluded, "Membres non destinataires\u00a0: "),
        _left_out(plan.doubtful, "Adresses qui ont refusé le dernier message, essayées encore\u00a0: "),
        show_if(plan.is_draft, status),
        look,
        rx.el.div(
            button("Annuler", variant="secondary", on_click=state.cancel, data_autofocus="true"),
            button("Envoyer", busy=state.is_busy, on_click=state.send),
            class_name="dialog-actions",
        ),
        title="Envoyer les invitations",
        description=ASK_TO_SEND,
        open=state.question == "everyone",
        on_close=state.cancel,
        role="alertdialog",
        class_name=rx.cond(state.mail.html == "", "dialog dialog-confirm", "dialog dialog-wide"),
    )


def newcomers_notice() -> rx.Component:
    """Newcomers: members added, or given an address, since the invitations were sent."""
    return show_if(
        _newcomers.count > 0,
        rx.el.section(
            rx.el.p(_newcomers.sentence, class_name="event-newcomers-line"),
            rx.el.p(_newcomers.names, class_name="event-newcomers-names"),
            button(_newcomers.action, variant="secondary", on_click=EventSendingState.ask_for_newcomers(_detail.id)),
            aria_label="Nouveaux membres",
            class_name="event-newcomers",
        ),
    )


def sending_notice() -> rx.Component:
    """The progress of the invitations."""
    return show_if(
        _detail.invitation_sent,
        rx.el.section(
            rx.el.h3("Invitations"),
            badge("Invitations envoyées", "green"),
            show_if(_sending.sentence != "", _progress(_sending, "Invitations envoyées", INVITATION_WITHDRAWN)),
            _left_out(_sending.excluded, "Membres non invités\u00a0: "),
            show_if(_last_notice.title == "", _journal()),
            class_name="event-sending",
        ),
    )


def change_notice_progress() -> rx.Component:
    """The progress of the last change notice."""
    figures = _last_notice.sending
    return show_if(
        _last_notice.title != "",
        rx.el.section(
            rx.el.h3(_last_notice.title),
            rx.el.p("Le ", _last_notice.when, class_name="muted"),
            show_if(figures.sentence != "", _progress(figures, "Messages envoyés", NOTICE_WITHDRAWN)),
            _left_out(figures.excluded, "Personnes invitées non prévenues\u00a0: "),
            _journal(),
            class_name="event-sending",
        ),
    )


def _progress(figures: Any, label: str, withdrawn: tuple[str, str]) -> rx.Component:
    return rx.el.div(
        rx.el.p(figures.sentence, role="status", class_name="event-sending-line"),
        progress_bar(figures.sent, figures.recipients, label),
        delivery_counts(figures, withdrawn),
    )


def _left_out(people: Any, summary: str) -> rx.Component:
    return show_if(
        people,
        rx.el.details(
            rx.el.summary(summary, rx.el.strong(people.length())),
            rx.el.ul(rx.foreach(people, _excluded)),
            class_name="event-left-out",
        ),
    )


def _journal() -> rx.Component:
    return page_link("Voir ces envois dans le journal", to=routes.journal_of(_detail.id), class_name="event-journal")


def _excluded(person: Excluded) -> rx.Component:
    return rx.el.li(rx.el.span(person.name), "\u00a0: ", person.reason)


def send_test_button(event_id: Any, *named: rx.Component, variant: Variant = "quiet") -> rx.Component:
    """The button that opens the test-mail dialog of the screen; `named` adds to its accessible name."""
    return button("Tester l'email", *named, variant=variant, on_click=TestMailState.ask_event(event_id))
