"""The questions before an announced event is changed, and before an event is deleted."""

import reflex as rx

from clubapp.pages.admin.events.day.closing_state import ClosingState
from clubapp.pages.admin.events.deletion_state import EventDeletionState
from clubapp.pages.admin.events.form_state import EventFormState
from clubapp.services.events.change_notices import Change, NoticeGroup, NoticePlan
from clubapp.services.events.invitations import Excluded
from clubapp.ui import button, checkbox, confirm_dialog
from clubapp.ui.kit.text import show_if
from clubapp.ui.react.overlays.modal import modal

ASK_TO_DELETE = "Êtes-vous sûr de vouloir supprimer cet événement ? Cette action est irréversible."


def notice_question() -> rx.Component:
    """Asks whether those invited get a change notice: new date or place, cancellation, or confirmation after one."""
    plan, busy = EventFormState.plan, EventFormState.is_saving
    return modal(
        rx.cond(plan.changes, rx.el.ul(rx.foreach(plan.changes, _change), class_name="notice-changes"), rx.fragment()),
        _who(plan),
        rx.el.div(
            button("Annuler", variant="quiet", on_click=EventFormState.undecide, data_autofocus="true"),
            button("Enregistrer sans prévenir", variant="secondary", busy=busy, on_click=EventFormState.decide(False)),
            button("Enregistrer et prévenir", busy=busy, on_click=EventFormState.decide(True)),
            class_name="dialog-actions",
        ),
        title=plan.question,
        description="Des messages sont déjà partis pour cet événement. Rien n’est encore enregistré.",
        open=plan.message_count > 0,
        on_close=EventFormState.undecide,
        role="alertdialog",
        class_name="dialog dialog-confirm notice-question",
    )


def notice_choice() -> rx.Component:
    """In a form that was opened to choose another date: whether those concerned are told of it."""
    count = EventFormState.notices.message_count
    label = rx.cond(
        count > 1,
        f"Prévenir de la nouvelle date\u00a0: {count} messages",
        "Prévenir de la nouvelle date\u00a0: 1 message",
    )
    return show_if(count > 0, checkbox(label, "tell", default_checked=True))


def notice_readers() -> rx.Component:
    """In such a form, under the date: who gets what."""
    notices = EventFormState.notices
    shown = rx.el.details(rx.el.summary("Qui est prévenu du changement"), _who(notices), class_name="notice-readers")
    return show_if(notices.message_count > 0, shown)


def delete_question() -> rx.Component:
    """The question before deleting, with what is lost; an event that was announced can be called off by mail."""
    state, deletion = EventDeletionState, EventDeletionState.deletion
    return modal(
        rx.cond(deletion.loss != "", rx.el.p(deletion.loss, class_name="notice-loss"), rx.fragment()),
        rx.cond(deletion.plan.message_count > 0, _who(deletion.plan), rx.fragment()),
        rx.el.div(
            button("Annuler", variant="quiet", on_click=state.cancel, data_autofocus="true"),
            rx.cond(
                deletion.plan.message_count > 0,
                rx.fragment(
                    button("Supprimer sans prévenir", variant="secondary", busy=state.is_busy,
                           on_click=state.delete(False)),
                    button("Prévenir et supprimer", variant="danger", busy=state.is_busy, on_click=state.delete(True)),
                ),
                button("Supprimer", variant="danger", busy=state.is_busy, on_click=state.delete(False)),
            ),
            class_name="dialog-actions",
        ),
        title=f"Supprimer «\u00a0{deletion.title}\u00a0»\u00a0?",
        description=ASK_TO_DELETE,
        open=state.is_asking,
        on_close=state.cancel,
        role="alertdialog",
        class_name="dialog dialog-confirm notice-question",
    )  # fmt: skip


def closing_question() -> rx.Component:
    """The question before the doors are closed, with who came and who did not."""
    return confirm_dialog(
        rx.Var.create(f"Clore l’accueil de «\u00a0{ClosingState.preview.title}\u00a0»\u00a0?"),
        ClosingState.preview.sentence,
        rx.el.p("L’événement devient «\u00a0Terminé\u00a0». Les venues se corrigent encore, dans «\u00a0Bilan\u00a0»."),
        open=ClosingState.is_asking,
        on_confirm=ClosingState.close,
        on_cancel=ClosingState.cancel,
        confirm_label="Clore l'accueil",
        busy=ClosingState.is_busy,
    )


def _who(plan: NoticePlan) -> rx.Component:
    """Each group with its number, names and message; then those who get none."""
    return rx.el.ul(
        rx.foreach(plan.groups, _group),
        rx.cond(
            plan.left_out,
            rx.el.li(
                rx.el.p("Ne recevront rien", class_name="notice-group-head"),
                rx.el.ul(rx.foreach(plan.left_out, _left_out), class_name="notice-names"),
            ),
            rx.fragment(),
        ),
        class_name="notice-groups",
        aria_label="Qui reçoit quoi",
    )


def _change(change: Change) -> rx.Component:
    return rx.el.li(
        rx.el.strong(change.label, "\u00a0: "),
        rx.el.s(change.before),
        rx.el.span(" devient ", class_name="visually-hidden"),
        " ",
        rx.el.strong(change.after),
    )


def _group(group: NoticeGroup) -> rx.Component:
    return rx.el.li(
        rx.el.p(f"{group.label}\u00a0: {group.count}", class_name="notice-group-head"),
        rx.cond(
            group.gets != "",
            rx.el.p("Reçoivent ", group.gets, "."),
            rx.el.p("Ne reçoivent rien\u00a0: ce changement ne les concerne pas.", class_name="notice-none"),
        ),
        rx.el.details(
            rx.el.summary("Voir les noms"),
            rx.el.p(group.names.join(", "), class_name="notice-names"),  # pyright: ignore[reportAttributeAccessIssue]
            class_name="notice-group",
        ),
    )


def _left_out(person: Excluded) -> rx.Component:
    return rx.el.li(rx.el.span(person.name), "\u00a0: ", person.reason)
