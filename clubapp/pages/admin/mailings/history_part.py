"""The tab of the broadcasts: the last ten, with their progress."""

import reflex as rx

from clubapp import routes
from clubapp.mail.queue.outbox import Excluded
from clubapp.pages.admin.mailings.broadcast_state import BroadcastActionState, BroadcastState
from clubapp.pages.admin.mailings.state import EmailsState
from clubapp.services.mailings.overview import BroadcastRow
from clubapp.ui import badge, button, empty_state, link_button, polling, progress_bar, visually_hidden
from clubapp.ui.mail.delivery_counts import delivery_counts

FOLLOW_MS = 1500


def history_panel() -> rx.Component:
    """The button that opens a new one, then the last ten."""
    return rx.fragment(
        rx.cond(EmailsState.mailings.is_sending, polling(FOLLOW_MS, EmailsState.load), rx.fragment()),
        rx.el.div(
            button("Nouvel e-mail", on_click=BroadcastState.open_new),
            link_button("Écrire avec des pièces jointes", to=routes.ADMIN_WRITE, variant="secondary"),
            class_name="mail-new",
        ),
        rx.cond(
            EmailsState.mailings.broadcasts,
            rx.el.ul(rx.foreach(EmailsState.mailings.broadcasts, _broadcast), class_name="mail-rows"),
            empty_state("Aucun e-mail envoyé", "Les dix derniers e-mails libres apparaîtront ici."),
        ),
    )


def _broadcast(broadcast: BroadcastRow) -> rx.Component:
    figures = broadcast.figures
    return rx.el.li(
        rx.el.div(
            rx.el.h2(broadcast.subject, class_name="mail-title"), _badges(broadcast), class_name="event-row-head"
        ),
        rx.el.p(broadcast.line, class_name="event-row-date"),
        rx.el.p(broadcast.content, class_name="mail-excerpt"),
        rx.cond(figures.sentence != "", _figures(broadcast), rx.fragment()),
        _actions(broadcast),
        key=broadcast.id,
        data_broadcast_id=broadcast.id,
        class_name="mail-row",
    )


def _badges(broadcast: BroadcastRow) -> rx.Component:
    return rx.el.div(
        rx.cond(broadcast.is_sent, badge("Envoyé", "green"), rx.fragment()),
        rx.cond(broadcast.state == "paused", badge("En pause", "amber"), rx.fragment()),
        rx.cond(broadcast.state == "stopped", badge("Arrêté", "red"), rx.fragment()),
        class_name="mail-badges",
    )


def _figures(broadcast: BroadcastRow) -> rx.Component:
    figures = broadcast.figures
    moving = (broadcast.state == "sending") | (broadcast.state == "paused")
    return rx.el.div(
        rx.el.p(figures.sentence, role="status", class_name="event-sending-line"),
        rx.cond(moving, progress_bar(figures.sent, figures.recipients, "E-mails envoyés"), rx.fragment()),
        delivery_counts(figures, ("le message n’est pas parti", "les messages ne sont pas partis")),
        rx.cond(figures.excluded, _left_out(broadcast), rx.fragment()),
        class_name="mail-figures",
    )


def _left_out(broadcast: BroadcastRow) -> rx.Component:
    excluded = broadcast.figures.excluded
    return rx.el.details(
        rx.el.summary("Membres non destinataires\u00a0: ", rx.el.strong(rx.Var.create(excluded).length())),
        rx.el.ul(rx.foreach(excluded, _excluded)),
        class_name="event-left-out",
    )


def _excluded(person: Excluded) -> rx.Component:
    return rx.el.li(rx.el.span(person.name), "\u00a0: ", person.reason)


def _actions(broadcast: BroadcastRow) -> rx.Component:
    state, identifier = broadcast.state, broadcast.id
    named = visually_hidden(f"\u00a0: {broadcast.subject}")
    stop = button("Arrêter l’envoi", named, variant="danger", on_click=BroadcastActionState.ask("stop", identifier))
    pause = button("Mettre en pause", named, variant="secondary", on_click=BroadcastActionState.pause(identifier))
    resume = button("Reprendre l’envoi", named, variant="secondary", on_click=BroadcastActionState.resume(identifier))
    draft = rx.el.div(
        rx.cond(
            broadcast.opens_writing,
            link_button(
                rx.fragment("Modifier", named), to=f"{routes.ADMIN_WRITE}?brouillon={identifier}", variant="secondary"
            ),
            button("Modifier", named, variant="secondary", on_click=BroadcastState.open(identifier)),
        ),
        button("Envoyer", named, variant="secondary", on_click=BroadcastActionState.ask("send", identifier)),
        button("Supprimer", named, variant="danger", on_click=BroadcastActionState.ask("delete", identifier)),
        class_name="mail-row-actions",
    )
    moving = rx.el.div(rx.cond(state == "paused", resume, pause), stop, class_name="mail-row-actions")
    is_moving = (state == "sending") | (state == "paused")
    return rx.cond(state == "draft", draft, rx.cond(is_moving, moving, rx.fragment()))
