"""The tab of the people of an event, grouped by attendee status."""

from collections.abc import Callable
from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.events.detail_state import EventDetailState
from clubapp.pages.admin.events.people_state import PeopleState
from clubapp.pages.admin.events.person_state import AttendeeState
from clubapp.services.attendance.attendee_list import GroupChoice, PersonRow
from clubapp.services.attendance.attendee_status import Delivery
from clubapp.services.base.search import LONGEST_QUERY
from clubapp.ui import (
    badge,
    button,
    confirm_dialog,
    empty_state,
    field,
    link_button,
    page_link,
    skeleton_lines,
    visually_hidden,
)
from clubapp.ui.access.download_link import download_link
from clubapp.ui.kit.badge import Tone
from clubapp.ui.kit.text import show_if

_TONES: dict[Delivery, Tone] = {
    Delivery.SENT: "green",
    Delivery.WAITING: "amber",
    Delivery.FAILED: "red",
    Delivery.UNCERTAIN: "amber",
    Delivery.WITHDRAWN: "neutral",
}

SEARCH_LABEL = "Rechercher un nom ou une entreprise"
_people: Any = PeopleState.people
_event_id = EventDetailState.detail.id


def people_tab() -> rx.Component:
    """The people of each attendee status, and the files about them."""
    search = field(
        SEARCH_LABEL,
        "people_search",
        type="search",
        auto_complete="off",
        max_length=LONGEST_QUERY,
        default_value=PeopleState.wanted,
        on_change=PeopleState.search.debounce(200),
    )
    found = people_found(_group, search)
    return rx.el.div(
        rx.cond(PeopleState.event_id == _event_id, found, skeleton_lines(6)),
        _files(),
        class_name="event-people",
    )


def delivery_badge(delivery: Any) -> rx.Component:
    """The delivery state of an invitation as a badge; nothing without one."""
    badges = [show_if(delivery == word.value, badge(word.value, tone)) for word, tone in _TONES.items()]
    return show_if(
        delivery != "", rx.el.p(visually_hidden("Invitation\u00a0: "), *badges, class_name="attendee-delivery")
    )


def people_found(group: Callable[[GroupChoice], rx.Component], search: rx.Component) -> rx.Component:
    """The groups, the search and the people of the chosen group."""
    return rx.fragment(
        rx.el.div(rx.foreach(_people.groups, group), role="group", aria_label="Réponse", class_name="attendee-groups"),
        search,
        rx.el.div(
            rx.el.p(_people.found, role="status", class_name="attendee-found"),
            show_if(
                (_people.write_href != "") & (_people.rows.length() > 0),
                page_link("Écrire à ces personnes", to=_people.write_href, class_name="attendee-write"),
            ),
            class_name="attendee-found-line",
        ),
        rx.cond(
            _people.rows,
            rx.el.ul(rx.foreach(_people.rows, _row), class_name="attendee-list"),
            empty_state("Personne dans cette liste", "Choisissez une autre réponse, ou effacez la recherche."),
        ),
        show_if(
            _people.more > 0,
            button(f"Afficher {_people.more} de plus", variant="secondary", on_click=PeopleState.show_all),
        ),
        confirm_dialog(
            rx.Var.create(f"Retirer «\u00a0{PeopleState.leaving}\u00a0»\u00a0?"),
            "Cette personne n’était pas annoncée\u00a0: si elle n’est pas venue, elle disparaît de la rencontre.",
            open=PeopleState.leaving != "",
            on_confirm=PeopleState.forget,
            on_cancel=PeopleState.keep,
            confirm_label="Retirer",
            danger=True,
        ),
    )


def _group(group: GroupChoice) -> rx.Component:
    return rx.el.button(
        group.label,
        rx.el.span(group.count, class_name="attendee-count", data_group=group.key),
        type="button",
        aria_pressed=rx.cond(group.key == _people.chosen, "true", "false"),
        on_click=PeopleState.choose(group.key),
        key=group.key,
        class_name="chip",
    )


def _row(person: PersonRow) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.el.p(person.name, class_name="attendee-name"),
            show_if(person.company != "", rx.el.p(person.company, class_name="attendee-company")),
            show_if(person.party != "", rx.el.p(person.party, class_name="attendee-party")),
            show_if(
                person.guests,
                rx.el.ul(rx.foreach(person.guests, rx.el.li), aria_label="Invités", class_name="attendee-guests"),
            ),
            show_if(person.answered != "", rx.el.p(person.answered, class_name="attendee-answered")),
            show_if(person.reason != "", rx.el.p(person.reason, class_name="attendee-reason")),
            show_if((person.presence != "") & ~person.came, rx.el.p(person.presence, class_name="attendee-presence")),
        ),
        delivery_badge(person.delivery),
        show_if(person.person != "", _came(person)),
        show_if(
            person.can_open,
            button(
                "Ouvrir",
                visually_hidden(rx.Var.create(f" {person.name}")),
                variant="quiet",
                on_click=AttendeeState.show(_event_id, person.key),
            ),
        ),
        key=person.key,
        class_name="attendee",
    )


def _came(person: Any) -> rx.Component:
    """The press that notes by hand whether somebody came."""
    return rx.el.button(
        "Venu",
        visually_hidden(rx.Var.create(f"\u00a0: {person.name}")),
        type="button",
        aria_pressed=rx.cond(person.came, "true", "false"),
        on_click=PeopleState.mark(person.person, ~person.came),
        class_name="chip attendee-came",
    )


def _files() -> rx.Component:
    return rx.el.section(
        rx.el.h3("Exporter"),
        rx.el.div(
            link_button("Liste d’appels", routes.calling_list(_event_id), variant="secondary"),
            _file("Réponses (CSV)", routes.event_answers(_event_id, "csv")),
            _file("Réponses (Excel)", routes.event_answers(_event_id, "xlsx")),
            _file("Feuille d’émargement (PDF)", routes.attendance_sheet(_event_id)),
            class_name="attendee-files",
        ),
    )


def _file(text: str, href: Any) -> rx.Component:
    return download_link(text, href, class_name="button button-secondary")
