"""The tab of the answers: figures, who said what and by what way."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.events.detail_state import EventDetailState
from clubapp.pages.admin.events.meeting.side_part import meeting_side
from clubapp.pages.admin.events.meeting.state import MeetingState
from clubapp.pages.admin.events.person_state import AttendeeState
from clubapp.pages.admin.events.sending_part import newcomers_notice
from clubapp.services.attendance.answer_list import BY_NAME, UNINVITED
from clubapp.services.attendance.attendee_status import AttendeeStatus
from clubapp.services.base.search import LONGEST_QUERY
from clubapp.ui import cell, empty_state, page_link, skeleton_lines, stat_tile, stat_tiles, table_row
from clubapp.ui.access.download_link import download_link
from clubapp.ui.kit.icon import icon
from clubapp.ui.kit.image import responsive_image
from clubapp.ui.kit.links import external_link
from clubapp.ui.kit.text import show_if, visually_hidden
from clubapp.ui.react.forms.search_field import search_field
from clubapp.ui.react.lists.load_more import load_more_button

_meeting: Any = MeetingState.meeting
_answers: Any = MeetingState.answers
_detail: Any = EventDetailState.detail
_address = routes.admin_event(_meeting.id)


def answers_tab() -> rx.Component:
    """The tab, with its side."""
    return rx.el.div(
        rx.el.div(
            _tiles(),
            rx.cond(_answers.event_id == _meeting.id, _list(), skeleton_lines(8)),
            class_name="meeting-main",
        ),
        meeting_side(),
        class_name="meeting-columns",
    )


def _tiles() -> rx.Component:
    stats = _detail.stats
    guests_eating = _detail.total_meals - stats.total_with_lunch
    meals = f"Repas, {stats.total_with_lunch.to_string()} + {guests_eating.to_string()}"
    return stat_tiles(
        stat_tile(stats.total_attending, _detail.attending_label, "total_attending", data_answer="yes"),
        stat_tile(stats.total_not_attending, _detail.declined_label, "total_not_attending", data_answer="no"),
        show_if(
            stats.total_waiting > 0,
            stat_tile(stats.total_waiting, "En attente", "total_waiting", data_answer="waiting"),
        ),
        stat_tile(stats.total_no_response, "Pas de réponse", "total_no_response", data_answer="silent"),
        stat_tile(stats.total_guests, "Invités", "total_guests"),
        show_if(_detail.has_lunch, stat_tile(_detail.total_meals, meals, "total_meals")),
    )


def _list() -> rx.Component:
    nobody = rx.cond(
        _answers.chips[0].count > 0,
        empty_state("Personne dans cette liste", "Choisissez une autre réponse, ou effacez la recherche."),
        rx.cond(
            _meeting.is_cancelled | _meeting.has_begun,
            empty_state("Personne n’a été invité", "Aucune invitation n’est partie pour cette rencontre."),
            empty_state(
                "Personne n’est encore invité",
                "Les réponses arrivent ici d’elles-mêmes, dès que les invitations sont parties.",
            ),
        ),
    )
    return rx.fragment(
        rx.el.div(
            rx.el.nav(rx.foreach(_answers.chips, _chip), aria_label="Réponse", class_name="answer-chips"),
            rx.el.div(_search(), _files(), class_name="answer-find"),
            class_name="answer-tools",
        ),
        show_if(_answers.chosen == UNINVITED, newcomers_notice()),
        rx.cond(_answers.rows, _table(), nobody),
    )


def _search() -> rx.Component:
    return search_field(
        parameter="q",
        reset="tous",
        label="Rechercher un nom ou une entreprise",
        placeholder="Rechercher",
        action=routes.ADMIN_EVENTS,
        max_length=LONGEST_QUERY,
        class_name="answer-search",
    )


def _chip(chip: Any) -> rx.Component:
    is_chosen = chip.key == _answers.chosen
    return page_link(
        chip.label,
        " ",
        rx.el.span(chip.count, class_name="answer-chip-count"),
        to=rx.cond(chip.key == "", _address, f"{_address}?reponse={chip.key}"),
        prevent_scroll_reset=True,
        aria_current=rx.cond(is_chosen, "true", rx.Var("undefined")),
        data_group=chip.key,
        key=chip.key,
        class_name="chip",
    )


def _files() -> rx.Component:
    is_written_to = (_answers.chosen != "") & (_answers.chosen != UNINVITED) & (_answers.rows.length() > 0)
    write = page_link(
        icon("mail", 18),
        "Écrire à ces personnes",
        to=routes.write_to(evenement=_meeting.id, reponse=_answers.chosen),
        class_name="link answer-write",
    )
    return rx.el.div(
        show_if(is_written_to, write),
        download_link("CSV", routes.event_answers(_meeting.id, "csv"), class_name="link"),
        download_link("Excel", routes.event_answers(_meeting.id, "xlsx"), class_name="link"),
        role="group",
        aria_label="Écrire, ou exporter les réponses",
        class_name="answer-files",
    )


def _table() -> rx.Component:
    foot = load_more_button(
        _more_label(),
        rx.el.p(_answers.shown, role="status"),
        more=_answers.more > 0,
        shown=_answers.rows.length(),
        on_more=MeetingState.show_all,
        class_name="answer-foot",
    )
    head = table_row(
        _sorted_header("Membre", BY_NAME),
        _header("Réponse"),
        _header("Invités"),
        show_if(_detail.has_lunch, _header("Repas")),
        _sorted_header("Dernière nouvelle", ""),
        _header(visually_hidden("Actions")),
    )
    table = rx.el.table(
        rx.el.caption("Les réponses", class_name="visually-hidden"),
        rx.el.thead(head, role="rowgroup"),
        rx.el.tbody(rx.foreach(_answers.rows, _row), role="rowgroup"),
        role="table",
        class_name="data-table answer-table",
    )
    return rx.el.div(table, foot, class_name="answer-panel")


def _more_label() -> rx.Var[str]:
    return rx.cond(
        _answers.more > 1, f"Afficher les {_answers.more.to_string()} autres", "Afficher la dernière personne"
    )


def _header(content: Any) -> rx.Component:
    return rx.el.th(content, scope="col", role="columnheader")


def _sorted_header(text: str, order: str) -> rx.Component:
    """A heading that sorts: the choice stands in the address, beside the chosen answer."""
    base = rx.cond(
        _answers.chosen != "", f"{_address}?reponse={_answers.chosen}&tri={order}", f"{_address}?tri={order}"
    )
    is_chosen = _answers.order == order
    return rx.el.th(
        page_link(
            text,
            rx.cond(is_chosen, icon("chevron", 16), rx.fragment()),
            to=base,
            prevent_scroll_reset=True,
            class_name="answer-sort",
        ),
        scope="col",
        role="columnheader",
        aria_sort=rx.cond(is_chosen, "ascending" if order else "descending", rx.Var("undefined")),
    )


def _row(person: Any) -> rx.Component:
    name = rx.cond(
        person.member_id != "",
        page_link(person.name, to=routes.admin_member(person.member_id), class_name="answer-name"),
        rx.el.span(person.name, class_name="answer-name"),
    )
    return table_row(
        cell(
            rx.el.div(
                responsive_image(person.picture, "", lazy=True, class_name="answer-face"),
                rx.el.span(name, rx.el.span(person.company, class_name="answer-company"), class_name="answer-who"),
                class_name="answer-person",
            ),
        ),
        cell(
            _pill(person),
            show_if(person.presence != "", rx.el.span(person.presence, class_name="answer-presence")),
            label="Réponse",
        ),
        cell(person.guests, label="Invités"),
        show_if(_detail.has_lunch, cell(person.meals, label="Repas", class_name="answer-meals")),
        cell(_news(person), label="Dernière nouvelle"),
        cell(_acts(person), class_name="answer-acts"),
        key=person.key,
        data_person=person.key,
        data_answer=person.answer,
    )


def _pill(person: Any) -> rx.Component:
    drawing = rx.match(
        person.answer,
        (AttendeeStatus.COMING.value, icon("check", 16)),
        (AttendeeStatus.DECLINED.value, icon("cross", 16)),
        (AttendeeStatus.WAITING.value, icon("hourglass", 16)),
        icon("clock", 16),
    )
    return rx.el.span(drawing, person.says, data_answer=person.answer, class_name="answer-pill")


def _news(person: Any) -> rx.Component:
    return rx.el.div(
        rx.el.span(show_if(person.is_fault, icon("warning", 18)), person.news, class_name="answer-news"),
        show_if(person.when != "", rx.el.span(person.when, class_name="answer-when")),
        data_fault=person.is_fault,
    )


def _acts(person: Any) -> rx.Component:
    """The pencil opens the dialog in which the answer is noted; of who is silent, the telephone stands before it."""
    call = external_link(
        rx.fragment(icon("phone"), visually_hidden("Appeler "), visually_hidden(person.name)),
        person.phone_href,
        class_name="icon-button",
    )
    is_silent = person.answer == AttendeeStatus.SILENT.value
    opens = rx.el.button(
        icon("pencil"),
        visually_hidden("Noter la réponse\u00a0: "),
        visually_hidden(person.name),
        type="button",
        title="Noter sa réponse",
        on_click=AttendeeState.show(_meeting.id, person.key),
        class_name="icon-button",
    )
    return rx.fragment(show_if(is_silent & (person.phone_href != ""), call), show_if(person.member_id != "", opens))
