"""The rows of the mail log, its filters, and the questions about one message."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.mail_log.message_action_state import (
    CORRECT,
    CORRECTED_MAIL,
    RESEND,
    SETTLE,
    MessageActionState,
)
from clubapp.pages.admin.mail_log.state import MailLogState
from clubapp.services.base.search import LONGEST_QUERY
from clubapp.services.mail_log import listing
from clubapp.services.mail_log.listing import FilterOption, MailLogEntry, StateCount
from clubapp.ui import (
    button,
    cell,
    confirm_dialog,
    data_table,
    dialog,
    empty_state,
    field,
    form_actions,
    page_link,
    table_row,
    visually_hidden,
)
from clubapp.ui.kit.text import broken_address, show_if
from clubapp.ui.mail.relay_words import relay_words
from clubapp.ui.react.forms.entries_form import entries_form
from clubapp.ui.react.forms.search_field import search_field
from clubapp.ui.react.lists.address_controls import filter_link, filter_select, no_filter_link, page_turns
from clubapp.ui.records.rows import ALL

_journal, _wanted, _message = MailLogState.journal, MailLogState.wanted, MessageActionState.message
_RESET = f"{listing.NUMBER} {CORRECTED_MAIL}"
MAYBE_TWICE = "Ce message est peut-être déjà arrivé\u00a0: la personne pourrait le recevoir deux fois."


def one_mailing() -> rx.Component:
    """Of which mail these are the messages, when the address names one."""
    return show_if(
        _wanted.broadcast_id != "",
        rx.el.p(
            "Un seul e-mail\u00a0: ",
            rx.el.strong(_journal.only),
            page_link("Voir tous les messages", to=routes.ADMIN_MAIL_LOG, class_name="journal-all"),
            class_name="journal-only",
        ),
    )


def counts() -> rx.Component:
    """The number of messages in each state; a press filters by it."""
    return rx.el.div(
        no_filter_link(
            rx.el.span("Tous", class_name="journal-count-label"),
            rx.el.span(_journal.total, class_name="journal-count-figure"),
            parameters=[listing.STATE],
            reset=_RESET,
            class_name="journal-count",
        ),
        rx.foreach(_journal.counts, _count),
        role="group",
        aria_label="État des messages",
        class_name="journal-counts",
    )


def _count(one: StateCount) -> rx.Component:
    return filter_link(
        rx.el.span(one.label, class_name="journal-count-label"),
        rx.el.span(one.count, data_stat=one.state, class_name="journal-count-figure"),
        key=one.state,
        parameter=listing.STATE,
        value=one.state,
        reset=_RESET,
        data_tone=one.state,
        data_none=one.count == 0,
        class_name="journal-count",
    )


def filters() -> rx.Component:
    """The search, and the filters by kind and by event."""
    label = "Rechercher un nom ou une adresse"
    return rx.el.div(
        search_field(
            parameter=listing.TEXT,
            reset=_RESET,
            label=label,
            placeholder=label,
            action="",
            max_length=LONGEST_QUERY,
            class_name="record-search",
        ),
        _list("Type de message", "Tous les messages", listing.KIND, MailLogState.filters.kinds),
        _list("Événement", "Tous les événements", listing.EVENT, MailLogState.filters.events),
        class_name="people-search",
    )


def _list(label: str, everything: str, parameter: str, choices: Any) -> rx.Component:
    def option(choice: FilterOption) -> rx.Component:
        return rx.el.option(choice.label, value=choice.value)

    return filter_select(
        rx.el.option(everything, value=ALL),
        rx.foreach(choices, option),
        parameter=parameter,
        reset=_RESET,
        aria_label=label,
        class_name="control control-select",
    )


def messages() -> rx.Component:
    """The rows of one page, and the buttons to the other pages."""
    table = data_table(
        ["Date", "Destinataire", "Message", "État", ""],
        rx.foreach(_journal.messages, _row),
        caption="Messages envoyés\u00a0: les problèmes récents, puis du plus récent au plus ancien",
        class_name="journal-table",
    )
    return rx.fragment(rx.cond(_journal.messages, table, _nothing()), _pages())


def _row(entry: MailLogEntry) -> rx.Component:
    return table_row(
        cell(rx.el.time(entry.when, class_name="journal-when"), label="Date"),
        cell(
            rx.el.div(
                show_if(entry.person != "", rx.el.span(entry.person, title=entry.person, class_name="journal-person")),
                broken_address(entry.address_parts, class_name="journal-address"),
                class_name="journal-who journal-person-cell",
            ),
            label="Destinataire",
        ),
        cell(
            rx.el.div(
                rx.el.span(entry.kind),
                show_if(entry.about != "", rx.el.span(entry.about, title=entry.about, class_name="journal-about")),
                class_name="journal-who journal-message",
            ),
            label="Message",
        ),
        cell(_delivery(entry), label="État"),
        cell(_actions(entry), label="", class_name="journal-actions-cell"),
        key=entry.id,
        data_mail_state=entry.state,
    )


def _delivery(entry: MailLogEntry) -> rx.Component:
    return rx.el.div(
        rx.el.span(
            rx.el.span(entry.state_label, class_name=f"badge badge-{entry.tone}"),
            rx.el.span(entry.attempts, class_name="journal-attempts"),
            class_name="journal-state",
        ),
        show_if(entry.reason != "", rx.el.span(entry.reason, class_name="journal-reason")),
        relay_words(entry.words, f" de l’envoi à {entry.person} {entry.address}"),
        class_name="journal-fate",
    )


def _actions(entry: MailLogEntry) -> rx.Component:
    return rx.el.div(
        rx.cond(entry.can_settle, _act("Marquer comme reçu", SETTLE, entry), rx.fragment()),
        rx.cond(entry.can_correct, _act("Corriger l’adresse et renvoyer", CORRECT, entry), rx.fragment()),
        rx.cond(entry.can_resend, _act("Renvoyer", RESEND, entry), rx.fragment()),
        class_name="journal-actions",
    )


def _act(label: str, question: str, entry: MailLogEntry) -> rx.Component:
    recipient = visually_hidden(f"\u00a0: {entry.person} {entry.address}")
    return button(label, recipient, variant="quiet", on_click=MessageActionState.ask(question, entry.id))


def _nothing() -> rx.Component:
    is_of_one = (_wanted.event_id != "") | (_wanted.broadcast_id != "")
    is_narrowed = (_wanted.text != "") | (_wanted.kind != "") | (_wanted.state != "") | is_of_one
    everything = page_link("Voir tous les messages", to=routes.ADMIN_MAIL_LOG, class_name="button button-secondary")
    return rx.cond(
        is_narrowed,
        empty_state("Aucun message ne correspond", "Changez de mots ou de filtres pour en retrouver.", everything),
        empty_state("Aucun message pour l’instant", "Chaque e-mail du club paraîtra ici, avec ce qu’il en est advenu."),
    )


def _pages() -> rx.Component:
    turns = page_turns(
        page=_journal.page,
        pages=_journal.pages,
        newer="Plus récents",
        older="Plus anciens",
        reset=CORRECTED_MAIL,
        aria_label="Pages du journal",
        class_name="journal-pages",
    )
    return show_if(_journal.pages > 1, turns)


def confirmation_dialogs() -> rx.Component:
    """Asked before a message is sent again or settled."""
    return rx.fragment(
        confirm_dialog(
            "Renvoyer ce message",
            rx.cond(
                _message.can_settle,
                MAYBE_TWICE,
                f"Le message sera remis dans la file d’envoi pour {_message.person} {_message.address}.",
            ),
            open=MessageActionState.asking == RESEND,
            on_confirm=MessageActionState.resend,
            on_cancel=MessageActionState.close,
            confirm_label="Renvoyer",
            busy=MessageActionState.is_busy,
        ),
        confirm_dialog(
            "Marquer comme reçu",
            f"{_message.person} {_message.address} vous a dit avoir reçu ce message\u00a0? Il comptera comme envoyé.",
            open=MessageActionState.asking == SETTLE,
            on_confirm=MessageActionState.settle,
            on_cancel=MessageActionState.close,
            confirm_label="Marquer comme reçu",
            busy=MessageActionState.is_busy,
        ),
        dialog(
            "Corriger l’adresse et renvoyer",
            _address_form(),
            open=MessageActionState.asking == CORRECT,
            on_close=MessageActionState.close,
            description=f"{_message.person}\u00a0: {_message.reason}",
        ),
    )


def _address_form() -> rx.Component:
    return entries_form(
        field(
            "Nouvelle adresse e-mail",
            "email",
            "email",
            required=True,
            default_value=MessageActionState.typed,
            error=MessageActionState.problem,
            hint="Elle devient celle de ce membre, pour ses messages en échec, pour les suivants et pour sa connexion.",
            auto_complete="off",
            id="correct-email",
            data_autofocus="select",
        ),
        form_actions(
            button("Annuler", variant="secondary", on_click=MessageActionState.close),
            button(
                "Corriger et renvoyer", type="submit", busy=MessageActionState.is_busy, busy_label="Enregistrement…"
            ),
        ),
        on_entries=MessageActionState.correct,
        busy=MessageActionState.is_busy,
        attempt=MessageActionState.attempt,
        class_name="form",
    )
