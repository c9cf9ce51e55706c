"""/member/data: 'Mes données': take them away, leave the directory, ask to be erased (P2)."""

import reflex as rx

from clubapp import routes
from clubapp.pages.member.personal_data.state import PersonalDataState
from clubapp.ui import banner, button, external_link, page_link, panel
from clubapp.ui.frame.layouts import member_layout
from clubapp.ui.kit.dialog import confirm_dialog
from clubapp.web.screens.page import Page

TITLE = "Mes données"
QUESTION = "Faire effacer vos données\u00a0?"
WHAT_GOES = (
    "Votre fiche, votre photo, vos sessions et le contenu des messages qui vous ont été envoyés seront effacés. "
    "Vos réponses aux rencontres restent comptées, sans votre nom."
)


def content() -> rx.Component:
    """The screen."""
    return member_layout(rx.el.div(_take_away(), _leave(), class_name="own-data"), _question(), title=TITLE)


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


def _leave() -> rx.Component:
    asked = PersonalDataState.asked_on
    notice = banner("Demande envoyée", rx.el.span("Le ", asked, ". Le club vous répondra sous un mois."), "green")  # pyright: ignore[reportArgumentType]
    return panel(
        "Partir",
        rx.el.p(
            "Pour disparaître du site public tout de suite, décochez «\u00a0Figurer dans l’annuaire\u00a0» dans ",
            page_link("Mon profil", to=routes.MEMBER),
            ".",
        ),
        rx.el.p(WHAT_GOES),
        rx.cond(
            asked != "",
            notice,
            button("Faire effacer mes données", variant="danger", on_click=PersonalDataState.question),
        ),
    )


def _question() -> rx.Component:
    return confirm_dialog(
        QUESTION,
        WHAT_GOES,
        open=PersonalDataState.is_asking,
        on_confirm=PersonalDataState.ask,
        on_cancel=PersonalDataState.stay,
        confirm_label="Envoyer ma demande",
        danger=True,
    )


PAGES = (Page(route=routes.MEMBER_DATA, title=TITLE, content=content, on_load=[PersonalDataState.load]),)
