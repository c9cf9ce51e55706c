"""/admin/demandes: what people ask about their data, each with its deadline, and how it was answered (P2)."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.requests.state import DONE, RequestsState
from clubapp.services.privacy.rights_requests import LONGEST_WORDS, RIGHTS
from clubapp.ui import (
    badge,
    button,
    confirm_dialog,
    empty_state,
    field,
    form_actions,
    form_row,
    hidden_field,
    page_link,
    panel,
    select,
    skeleton_lines,
    text_area,
    visually_hidden,
    when_loaded,
)
from clubapp.ui.access.download_link import download_link
from clubapp.ui.frame.layouts import admin_layout
from clubapp.ui.kit.text import show_if
from clubapp.ui.react.forms.draft_form import draft_form
from clubapp.ui.react.overlays.reveal_panel import reveal_panel
from clubapp.web.screens.page import Page

TITLE = "Demandes sur les données"
_form: Any = RequestsState.form
_errors: Any = RequestsState.errors
_COPY = (
    "Un ZIP avec les fichiers que le membre télécharge lui-même depuis «\u00a0Mes données\u00a0», à lui remettre par "
    "un moyen sûr."
)


def content() -> rx.Component:
    """The screen."""
    lists = rx.el.div(_waiting(), _answered(), _papers(), class_name="records-screen")
    return admin_layout(
        rx.el.div(
            show_if(RequestsState.is_noting, _note()),
            when_loaded(RequestsState, lists, skeleton_lines(6), "Les demandes n’ont pas pu être chargées"),
            _question(),
            class_name="records-screen",
        ),
        title=TITLE,
        hint="La loi laisse un mois pour répondre, et demande de garder trace de la réponse.",
        actions=[
            button("Noter une demande", variant="secondary", on_click=RequestsState.open_form, data_leaves_form="true")
        ],
        on_arrive=RequestsState.begin,
    )


def _note() -> rx.Component:
    form = draft_form(
        *_note_fields(),
        form_actions(
            button("Annuler", variant="secondary", on_click=RequestsState.open_form),
            button("Noter", type="submit", busy=RequestsState.is_saving, busy_label="Enregistrement…"),
        ),
        name="request:note",
        on_submit=RequestsState.note,
        busy=RequestsState.is_saving,
        attempt=RequestsState.attempt,
        saved=RequestsState.saved,
        key=_form.member_id,
        class_name="form",
    )
    return reveal_panel(panel("Noter une demande reçue par lettre ou par téléphone", form))


def _note_fields() -> list[rx.Component]:
    kinds = [(str(kind), label) for kind, label in RIGHTS.items()]
    day = {"type": "date", "required": True, "default_value": _form.asked_on}
    hint = "Pour la réponse\u00a0; sans adresse, vous préviendrez par lettre."
    return [
        hidden_field("member_id", _form.member_id),
        form_row(
            select("Droit demandé", "kind", kinds, required=True, placeholder="Choisir", error=_errors["kind"]),
            field("Reçue le", "asked_on", error=_errors["asked_on"], **day),
        ),
        form_row(
            field("Qui demande", "name", required=True, default_value=_form.name, error=_errors["name"]),
            field("E-mail", "email", "email", default_value=_form.email, hint=hint, error=_errors["email"]),
        ),
        text_area("Ses mots", "words", rows=3, longest=LONGEST_WORDS, default_value="", error=_errors["words"]),
    ]


def _waiting() -> rx.Component:
    rows = rx.el.ul(rx.foreach(RequestsState.waiting, _request), class_name="rights-rows")
    nothing = empty_state(
        "Personne n’attend de réponse",
        "Les demandes que les membres font depuis «\u00a0Mes données\u00a0» arrivent ici, avec leur échéance.",
    )
    return panel("À traiter", rx.cond(RequestsState.waiting, rows, nothing))


def _request(asked: Any) -> rx.Component:
    deadline = rx.cond(
        asked.is_late,
        badge(f"En retard depuis le {asked.deadline}", "red"),
        badge(f"Avant le {asked.deadline}", "amber"),
    )
    who = rx.cond(
        asked.member_id != "",
        page_link(asked.name, to=f"{routes.ADMIN_MEMBERS}/{asked.member_id}", class_name="rights-who"),
        rx.el.span(asked.name, class_name="rights-who"),
    )
    opener = button("Répondre", visually_hidden(f" à {asked.name}"), on_click=RequestsState.begin_answer(asked.id))
    return rx.el.li(
        rx.el.div(
            rx.el.div(
                rx.el.p(who, " ", asked.does),
                rx.el.p(f"Le {asked.asked}", rx.cond(asked.noted != "", f". {asked.noted}", ""), class_name="muted"),
                class_name="rights-words",
            ),
            deadline,
            rx.cond(RequestsState.answering == asked.id, rx.fragment(), opener),
            class_name="rights-line",
        ),
        show_if(asked.words != "", rx.el.p(asked.words, class_name="rights-said")),
        show_if(RequestsState.answering == asked.id, reveal_panel(_answer(asked), class_name="rights-reveal")),
        key=asked.id,
        data_request=asked.kind,
    )


def _answer(asked: Any) -> rx.Component:
    wrong = RequestsState.wrong_outcome
    return draft_form(
        rx.el.fieldset(
            rx.el.legend("Votre réponse", class_name="field-label"),
            _outcome(DONE, "C’est fait", data_autofocus="true"),
            _outcome("refused", "C’est refusé"),
            show_if(wrong != "", rx.el.p(wrong, id="outcome-error", role="alert", class_name="field-error")),
            class_name="choice-list",
        ),
        show_if(asked.erases != "", rx.el.p("Si c’est fait, ", asked.erases)),
        show_if((asked.kind == "copy") & (asked.member_id != ""), _copy(asked)),
        text_area(
            "Ce que vous lui dites",
            "answer",
            rows=3,
            longest=LONGEST_WORDS,
            default_value="",
            hint="Facultatif si c’est fait\u00a0; si c’est refusé, la raison.",
            error=RequestsState.wrong_answer,
        ),
        form_actions(
            button("Annuler", variant="secondary", on_click=RequestsState.leave_answer),
            button("Envoyer la réponse", type="submit", busy=RequestsState.is_saving, busy_label="Envoi en cours…"),
        ),
        name=f"request:{asked.id}",
        on_submit=RequestsState.answer,
        busy=RequestsState.is_saving,
        attempt=RequestsState.attempt,
        saved=RequestsState.saved,
        key=asked.id,
        class_name="form rights-answer",
    )


def _question() -> rx.Component:
    """The question before somebody is erased."""
    return confirm_dialog(
        f"Effacer {RequestsState.doomed}\u00a0?",
        f"C’est définitif\u00a0: {RequestsState.what_goes}",
        open=RequestsState.doomed != "",
        on_confirm=RequestsState.erase,
        on_cancel=RequestsState.keep,
        confirm_label="Effacer",
        danger=True,
        busy=RequestsState.is_saving,
    )


def _copy(asked: Any) -> rx.Component:
    return rx.el.div(
        rx.el.p(_COPY, class_name="rights-papers"),
        download_link("Préparer la copie", routes.requested_copy(asked.id), class_name="button button-secondary"),
    )


def _outcome(value: str, label: str, **props: Any) -> rx.Component:
    wrong = RequestsState.wrong_outcome != ""
    box = rx.el.input(
        type="radio",
        name="outcome",
        value=value,
        aria_invalid=rx.cond(wrong, "true", "false"),
        aria_describedby=rx.cond(wrong, "outcome-error", ""),
        on_change=RequestsState.reconsider(),
        class_name="checkbox-box",
        **props,
    )
    return rx.el.label(box, rx.el.span(label), class_name="checkbox-label")


def _answered() -> rx.Component:
    rows = rx.el.ul(rx.foreach(RequestsState.answered, _closed), class_name="rights-rows")
    return rx.cond(RequestsState.answered, panel("Répondues", rows), rx.fragment())


def _closed(asked: Any) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.el.div(
                rx.el.p(rx.el.span(asked.name, class_name="rights-who"), ", ", asked.right),
                rx.el.p(asked.told, class_name="muted"),
                class_name="rights-words",
            ),
            rx.cond(asked.is_refused, badge(asked.outcome, "red"), badge(asked.outcome, "green")),
            class_name="rights-line",
        ),
        show_if(asked.answer != "", rx.el.p(asked.answer, class_name="rights-said")),
        key=asked.id,
    )


def _papers() -> rx.Component:
    return panel(
        "Documents à signer",
        rx.el.p(
            "Registre des activités de traitement, liste des sous-traitants, procédure en cas de violation de données, "
            "autorisation de photographie\u00a0: remplis avec les réglages du site, en PDF et en DOCX. Relisez-les, "
            "complétez ce qui est marqué, signez.",
            class_name="rights-papers",
        ),
        download_link("Télécharger les documents (ZIP)", routes.PAPERS, class_name="button button-secondary"),
    )


PAGES = [Page(route=routes.ADMIN_REQUESTS, title=TITLE, content=content, on_load=[RequestsState.load])]
