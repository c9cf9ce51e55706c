"""/admin/administrators: who may manage the club."""

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.administrators.state import AdministratorsState
from clubapp.services.access.administrators import Administrator
from clubapp.ui import badge, button, confirm_dialog, field, panel, spinner, visually_hidden, when_loaded
from clubapp.ui.frame.layouts import admin_layout
from clubapp.ui.react.forms.draft_form import draft_form
from clubapp.web.screens.page import Page

ASK_TO_REMOVE = (
    "Cette personne ne pourra plus gérer le club, et ses sessions se ferment aussitôt. Si elle est aussi membre, elle "
    "garde sa fiche et son espace."
)
ASK_TO_LEAVE = "Il s’agit de votre propre accès\u00a0: vous quitterez aussitôt l’administration."


def content() -> rx.Component:
    """The screen."""
    return admin_layout(
        rx.el.div(_addition(), _list(), class_name="records-screen"),
        _question(),
        _question_of_factors(),
        title="Administrateurs",
        hint="Ils gèrent tout le club, et se connectent avec leur adresse e-mail.",
        on_arrive=AdministratorsState.begin,
    )


def _addition() -> rx.Component:
    return panel(
        "Ajouter un administrateur",
        draft_form(
            field(
                "Adresse e-mail",
                "email",
                type="email",
                required=True,
                auto_complete="off",
                error=AdministratorsState.error,
            ),
            button("Ajouter", type="submit", busy=AdministratorsState.is_saving & (AdministratorsState.leaving == "")),
            name="administrator:new",
            on_submit=AdministratorsState.add,
            busy=AdministratorsState.is_saving,
            attempt=AdministratorsState.attempt,
            saved=AdministratorsState.saved,
            again=True,
            class_name="administrator-form",
        ),
    )


def _list() -> rx.Component:
    rows = rx.el.ul(rx.foreach(AdministratorsState.rows, _row), class_name="administrator-rows")
    return panel(
        "Liste des administrateurs",
        when_loaded(AdministratorsState, rows, spinner(), "La liste n’a pas pu être chargée"),
    )


def _row(person: Administrator) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.el.p(person.email, class_name="people-name"),
            rx.el.p(
                rx.cond(person.name != "", f"{person.name}, membre. ", ""), person.since, class_name="people-position"
            ),
            class_name="people-words",
        ),
        rx.cond(person.is_me, badge("Vous", "indigo"), rx.fragment()),
        rx.cond(person.has_factor, badge("Double vérification", "green"), rx.fragment()),
        rx.cond(
            person.has_factor & ~person.is_me,
            button(
                "Réinitialiser",
                visually_hidden(f" la double vérification de {person.email}"),
                variant="secondary",
                on_click=AdministratorsState.ask_to_reset(person.email),
            ),
            rx.fragment(),
        ),
        button(
            "Retirer",
            visually_hidden(f" {person.email}"),
            variant="danger",
            on_click=AdministratorsState.ask_to_remove(person.email),
        ),
        key=person.email,
        class_name="administrator-row",
    )


def _question() -> rx.Component:
    return confirm_dialog(
        f"Retirer {AdministratorsState.leaving}\u00a0?",
        rx.cond(AdministratorsState.leaving_is_me, ASK_TO_LEAVE, ASK_TO_REMOVE),
        open=AdministratorsState.leaving != "",
        on_confirm=AdministratorsState.remove,
        on_cancel=AdministratorsState.keep,
        confirm_label="Retirer",
        danger=True,
        busy=AdministratorsState.is_saving,
    )


def _question_of_factors() -> rx.Component:
    return confirm_dialog(
        f"Réinitialiser la double vérification de {AdministratorsState.resetting}\u00a0?",
        "À faire seulement si cette personne vous l’a demandé de vive voix. Ses sessions se ferment, elle se "
        "connectera avec son seul e-mail, et tous les administrateurs en sont prévenus.",
        open=AdministratorsState.resetting != "",
        on_confirm=AdministratorsState.reset_factors,
        on_cancel=AdministratorsState.keep,
        confirm_label="Réinitialiser",
        danger=True,
        busy=AdministratorsState.is_saving,
    )


PAGES = [
    Page(
        route=routes.ADMIN_ADMINISTRATORS,
        title="Administrateurs",
        content=content,
        on_load=[AdministratorsState.load],
    )
]
