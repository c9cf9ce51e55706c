"""The people of a company, and the meetings it received."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.companies.company_page_state import CompanyRecordState
from clubapp.ui import badge, empty_state, page_link
from clubapp.ui.kit.image import responsive_image
from clubapp.ui.kit.text import show_if
from clubapp.ui.records.answer_mark import answer_mark

_page: Any = CompanyRecordState.page


def people_panel() -> rx.Component:
    """The members of the company, each with their trade and last answer."""
    count = _page.people.length()
    title = rx.cond(count > 1, f"Ses {count.to_string()} membres", "Son membre")
    nobody = empty_state("Aucun membre", "Choisissez cette entreprise dans la fiche d’un membre pour l’y rattacher.")
    people = rx.el.ul(rx.foreach(_page.people, _person), aria_label="Membres", class_name="reading-people")
    return rx.el.section(
        rx.el.div(
            rx.el.h2(rx.cond(count > 0, title, "Ses membres"), class_name="reading-title"), class_name="reading-head"
        ),
        rx.cond(count > 0, people, nobody),
        class_name="card",
    )


def hosted_panel() -> rx.Component:
    """The meetings it received."""
    return rx.el.section(
        rx.el.div(rx.el.h2("Rencontres accueillies", class_name="reading-title"), class_name="reading-head"),
        rx.el.ul(rx.foreach(_page.hosted, _hosted), class_name="reading-people"),
        class_name="card",
    )


def _person(person: Any) -> rx.Component:
    return rx.el.li(
        responsive_image(person.picture, "", lazy=True, class_name="people-face"),
        rx.el.div(
            page_link(person.name, to=routes.admin_member(person.id), class_name="reading-person"),
            rx.cond(person.is_active, rx.fragment(), badge("Inactif", "neutral")),
            show_if(person.role != "", rx.el.span(person.role, class_name="people-position")),
            show_if(person.trade != "", rx.el.span(person.trade, class_name="people-position")),
            class_name="people-words",
        ),
        answer_mark(person.answer),
        key=person.id,
        data_record_id=person.id,
    )


def _hosted(event: Any) -> rx.Component:
    return rx.el.li(
        page_link(event.title, to=routes.admin_event(event.id), class_name="reading-person"),
        rx.el.span(event.day, class_name="muted"),
        key=event.id,
        data_event_id=event.id,
    )
