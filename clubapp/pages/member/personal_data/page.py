"""/member/data: 'Mes données': take them away, leave the directory, ask the club something about them (P2)."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.member.personal_data.state import PersonalDataState
from clubapp.services.privacy.rights_requests import LONGEST_WORDS
from clubapp.ui import badge, button, external_link, form_actions, page_link, panel, text_area
from clubapp.ui.frame.layouts import member_layout
from clubapp.ui.kit.text import show_if
from clubapp.ui.react.forms.draft_form import draft_form
from clubapp.web.screens.page import Page

TITLE = "Mes données"
_requests: Any = PersonalDataState.requests
CHOICES = (
    ("copy", "Recevoir une copie de mes données", "Si le téléchargement ci-dessus ne vous suffit pas."),
    ("correction", "Faire corriger mes données", "Ce que vous ne pouvez pas changer vous-même, comme votre nom."),
    ("objection", "M’opposer à un usage de mes données", "Dites lequel, et pourquoi il vous gêne."),
    (
        "erasure",
        "Faire effacer mes données",
        "Votre fiche, votre photo, vos sessions et le contenu des messages qui vous ont été envoyés. Vos réponses aux "
        "rencontres passées restent comptées, sans votre nom\u00a0; vos places à venir sont libérées.",
    ),
)


def content() -> rx.Component:
    """The screen."""
    return member_layout(rx.el.div(_take_away(), _ask(), _leave(), class_name="own-data"), title=TITLE)


def _take_away() -> rx.Component:
    return panel(
        "Ce que le club sait de moi",
        rx.el.p(
            "Votre fiche, vos invitations et vos réponses, les messages envoyés, vos sessions et le journal de vos "
            "actions, dans un seul fichier."
        ),
        rx.el.div(
            _file("Télécharger en JSON", routes.OWN_DATA_JSON),
            _file("Télécharger en CSV", routes.OWN_DATA_CSV),
            class_name="own-data-actions",
        ),
    )


def _file(text: str, path: str) -> rx.Component:
    # `download` keeps the browser from firing `beforeunload`, at which Reflex closes its connection.
    return external_link(text, path, download=True, class_name="button button-secondary")


def _ask() -> rx.Component:
    form = draft_form(
        _choices(),
        text_area(
            "Précisions, si vous le souhaitez",
            "words",
            rows=3,
            longest=LONGEST_WORDS,
            default_value="",
            error=PersonalDataState.wrong_words,
        ),
        form_actions(
            button("Envoyer ma demande", type="submit", busy=PersonalDataState.is_sending, busy_label="Envoi en cours…")
        ),
        name="request:new",
        on_submit=PersonalDataState.ask,
        busy=PersonalDataState.is_sending,
        attempt=PersonalDataState.attempt,
        saved=PersonalDataState.sent,
        again=True,
        class_name="form",
    )
    return panel(
        "Demander quelque chose au club",
        rx.el.p("Le club vous répond par e-mail, sous un mois au plus."),
        show_if(
            _requests.length() > 0,
            rx.el.ul(rx.foreach(_requests, _request), aria_label="Mes demandes", class_name="own-requests"),
        ),
        form,
    )


def _choices() -> rx.Component:
    wrong = PersonalDataState.wrong_kind
    return rx.el.fieldset(
        rx.el.legend("Votre demande", class_name="field-label"),
        *[_choice(*choice) for choice in CHOICES],
        show_if(wrong != "", rx.el.p(wrong, id="kind-error", role="alert", class_name="field-error")),
        class_name="choice-list",
    )


def _choice(kind: str, label: str, about: str) -> rx.Component:
    wrong = PersonalDataState.wrong_kind != ""
    box = rx.el.input(
        type="radio",
        name="kind",
        value=kind,
        aria_invalid=rx.cond(wrong, "true", "false"),
        aria_describedby=rx.cond(wrong, f"kind-{kind} kind-error", f"kind-{kind}"),
        class_name="checkbox-box",
    )
    return rx.el.div(
        rx.el.label(box, rx.el.span(label), class_name="checkbox-label"),
        rx.el.p(about, id=f"kind-{kind}", class_name="field-hint"),
    )


def _request(asked: Any) -> rx.Component:
    return rx.el.li(
        rx.el.span(
            asked.right,
            rx.cond(asked.is_open, badge("En attente"), badge("Répondu", "green")),
            class_name="own-request",
        ),
        rx.el.span(asked.state, class_name="muted"),
        show_if(asked.answer != "", rx.el.span(asked.answer, class_name="own-request-answer")),
        key=asked.id,
    )


def _leave() -> rx.Component:
    return panel(
        "Quitter l’annuaire",
        rx.el.p(
            "Pour disparaître du site public tout de suite, décochez «\u00a0Figurer dans l’annuaire\u00a0» dans ",
            page_link("Mon profil", to=routes.MEMBER),
            ".",
        ),
    )


PAGES = (Page(route=routes.MEMBER_DATA, title=TITLE, content=content, on_load=[PersonalDataState.load]),)
