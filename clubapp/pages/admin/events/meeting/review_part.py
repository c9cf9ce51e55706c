"""The tab of what was: who came and who did not, corrections, thanks, files."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.events.detail_state import EventDetailState
from clubapp.pages.admin.events.meeting.state import DAY, MeetingState
from clubapp.pages.admin.events.people_part import SEARCH_LABEL, people_found
from clubapp.pages.admin.events.people_state import FIRST_GROUP, GROUP, TEXT, PeopleState
from clubapp.services.attendance.attendee_list import GroupChoice
from clubapp.services.base.search import LONGEST_QUERY
from clubapp.ui import empty_state, link_button, page_link, skeleton_lines, stat_tile, stat_tiles
from clubapp.ui.access.download_link import download_link
from clubapp.ui.kit.text import show_if
from clubapp.ui.react.forms.search_field import search_field
from clubapp.ui.react.lists.address_controls import filter_link

# What a figure counts: who came is counted with the guests, answers are those of members.
_CAME_NOT = "Absents malgré leur réponse"
PEOPLE, MEMBERS = "membres et invités", "membres"
_meeting: Any = MeetingState.meeting
_detail: Any = EventDetailState.detail


def review_tab() -> rx.Component:
    """The tab; before the day, what will stand here."""
    before = empty_state(
        "Le bilan se remplit le jour de la rencontre",
        "Qui est venu, qui manquait, et qui remercier.",
        link_button("Préparer le jour\u00a0J", routes.event_tab(_meeting.id, DAY), variant="secondary"),
    )
    return rx.cond(_meeting.has_begun, _review(), before)


def _review() -> rx.Component:
    stats, turnout = _detail.stats, _detail.turnout
    figures = stat_tiles(
        show_if(turnout.is_known, stat_tile(turnout.arrived, _of("Venus", PEOPLE), "total_arrived")),
        show_if(turnout.is_known, stat_tile(turnout.no_show, _of(_CAME_NOT, PEOPLE), "total_no_show")),
        stat_tile(stats.total_attending, _of(_detail.attending_label, MEMBERS), "total_attending"),
        stat_tile(stats.total_guests, "Invités annoncés", "total_guests"),
        stat_tile(stats.total_not_attending, _of(_detail.declined_label, MEMBERS), "total_not_attending"),
        stat_tile(stats.total_no_response, _of("Pas de réponse", MEMBERS), "total_no_response"),
    )
    return rx.el.div(rx.el.div(figures, _people(), class_name="meeting-main"), _after(), class_name="meeting-columns")


def _of(label: Any, unit: str) -> Any:
    return rx.fragment(label, " ", rx.el.span(unit, class_name="stat-unit"))


def _people() -> rx.Component:
    search = search_field(
        parameter=TEXT,
        reset="",
        label=SEARCH_LABEL,
        placeholder=SEARCH_LABEL,
        action="",
        max_length=LONGEST_QUERY,
        class_name="attendee-search",
    )
    return rx.el.section(
        rx.el.h2("Qui est venu", class_name="meeting-card-title"),
        rx.el.p(
            "«\u00a0Venu\u00a0» se corrige ici d’un geste, aussi quand l’accueil est clos.",
            class_name="meeting-row-detail",
        ),
        rx.cond(PeopleState.event_id == _detail.id, people_found(_group, search), skeleton_lines(6)),
        class_name="card event-people",
    )


def _group(group: GroupChoice) -> rx.Component:
    return filter_link(
        group.label,
        rx.el.span(group.count, class_name="attendee-count", data_group=group.key),
        parameter=GROUP,
        value=rx.cond(group.key == FIRST_GROUP, "", group.key),
        key=group.key,
        class_name="chip",
    )


def _write_to(answer: str) -> str:
    return routes.write_to(evenement=_meeting.id, reponse=answer)


def _after() -> rx.Component:
    return rx.el.aside(
        rx.el.section(
            rx.el.h2("Remercier", class_name="meeting-card-title"),
            rx.el.p(
                "Un mot à ceux qui sont venus, tant que le souvenir en est frais.", class_name="meeting-row-detail"
            ),
            page_link("Écrire à ceux qui sont venus", to=_write_to("venus"), class_name="link"),
            page_link("Écrire à ceux qui manquaient", to=_write_to("absents"), class_name="link"),
            page_link("Écrire aux invités", to=_write_to("invites"), class_name="link"),
            class_name="card meeting-stack",
        ),
        rx.el.section(
            rx.el.h2("Exporter", class_name="meeting-card-title"),
            download_link("Qui est venu (CSV)", routes.arrivals_file(_meeting.id, "csv"), class_name="link"),
            download_link("Cette rencontre (CSV)", routes.event_answers(_meeting.id, "csv"), class_name="link"),
            download_link("Cette rencontre (Excel)", routes.event_answers(_meeting.id, "xlsx"), class_name="link"),
            download_link("Présences de tous les membres (CSV)", routes.PRESENCES_EXPORT, class_name="link"),
            class_name="card meeting-stack",
        ),
        aria_label="Après la rencontre",
        class_name="meeting-side",
    )
