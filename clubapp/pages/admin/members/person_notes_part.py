"""What the administrators noted of a member."""

from typing import Any

import reflex as rx

from clubapp.pages.admin.members.person_state import MemberRecordState
from clubapp.services.members.notes import LONGEST_NOTE
from clubapp.ui import button, confirm_dialog, text_area
from clubapp.ui.kit.icon import icon
from clubapp.ui.kit.text import visually_hidden
from clubapp.ui.react.forms.draft_form import draft_form

_page: Any = MemberRecordState.page


def notes_panel() -> rx.Component:
    """A field for a new note above the notes."""
    form = draft_form(
        text_area(
            "Nouvelle note", "note", rows=3, longest=LONGEST_NOTE, default_value="", error=MemberRecordState.note_error
        ),
        button(
            "Enregistrer la note",
            type="submit",
            variant="secondary",
            busy=MemberRecordState.is_noting,
            busy_label="Enregistrement…",
        ),
        name=f"note:{_page.id}",
        on_submit=MemberRecordState.add_note,
        busy=MemberRecordState.is_noting,
        attempt=MemberRecordState.attempt,
        saved=MemberRecordState.noted,
        again=True,
        key=_page.id,
        class_name="form reading-note-form",
    )
    return rx.el.section(
        rx.el.div(
            rx.el.h2("Notes", class_name="reading-title"),
            rx.el.span(icon("lock", 18), "Équipe seulement", class_name="reading-private"),
            class_name="reading-head",
        ),
        form,
        rx.el.ul(rx.foreach(_page.notes, _note), aria_label="Notes", class_name="reading-notes"),
        rx.el.p("Ces notes font partie de l’export de ses données.", class_name="reading-note-hint"),
        class_name="card reading-notes-card",
    )


def note_question() -> rx.Component:
    """The question before a note is deleted."""
    return confirm_dialog(
        "Supprimer la note",
        "Êtes-vous sûr de vouloir supprimer cette note\u00a0?",
        open=MemberRecordState.doomed != "",
        on_confirm=MemberRecordState.delete_note,
        on_cancel=MemberRecordState.keep,
        confirm_label="Supprimer",
        danger=True,
    )


def _note(note: Any) -> rx.Component:
    remove = rx.el.button(
        icon("bin", 18),
        visually_hidden(f"Supprimer la note de {note.told}"),
        type="button",
        title="Supprimer",
        on_click=MemberRecordState.ask_to_delete(note.id),
        class_name="icon-button people-delete",
    )
    return rx.el.li(
        rx.el.p(note.text, class_name="reading-note-text"),
        rx.el.div(rx.el.p(note.told, class_name="reading-note-told"), remove, class_name="reading-note-foot"),
        key=note.id,
        data_note_id=note.id,
    )
