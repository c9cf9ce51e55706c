"""The dialog of an event: its facts and figures, its people, its waiting list."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.events.day.announcement_part import announcement_notice
from clubapp.pages.admin.events.day.closing_state import ClosingState
from clubapp.pages.admin.events.deletion_state import EventDeletionState
from clubapp.pages.admin.events.detail_state import OVERVIEW, EventDetailState
from clubapp.pages.admin.events.form_state import EventFormState
from clubapp.pages.admin.events.people_part import people_tab
from clubapp.pages.admin.events.people_state import PeopleState
from clubapp.pages.admin.events.sending_part import (
    change_notice_progress,
    newcomers_notice,
    send_test_button,
    sending_notice,
)
from clubapp.pages.admin.events.sending_state import EventSendingState
from clubapp.pages.admin.events.waiting_part import waiting_list
from clubapp.pages.admin.events.waiting_state import WaitingState
from clubapp.services.events.admin_views import Speaker
from clubapp.ui import button, dialog, polling, progress_bar, stat_tile, stat_tiles, status_badge, tabs
from clubapp.ui.kit.links import external_link, page_link
from clubapp.ui.kit.text import show_if
from clubapp.ui.react.lists.keep_focus import keep_focus

FOLLOW_MS = 1000
PEOPLE = "people"

_detail = EventDetailState.detail
# A press at the foot of a long dialog is answered at its top.
_SHOWN = rx.call_function(rx.Var("() => document.querySelector('.event-notice')?.scrollIntoView({ block: 'nearest' })"))


def detail_dialog() -> rx.Component:
    """Everything about one event; figures and mailing progress are polled while it is open."""
    return dialog(
        _detail.title,
        rx.cond(
            EventDetailState.tab == PEOPLE,
            polling(FOLLOW_MS, PeopleState.keep_up, on_between=EventDetailState.follow),
            polling(FOLLOW_MS, EventDetailState.follow),
        ),
        notice_box(EventDetailState.notice),
        _facts(),
        tabs(
            [
                (OVERVIEW, "Vue d’ensemble", _overview()),
                (PEOPLE, "Personnes", people_tab()),
            ],
            default=EventDetailState.tab,
            label="Rubriques de l’événement",
            on_change=[EventDetailState.turn, PeopleState.open],
            class_name="event-tabs",
        ),
        _actions(),
        open=EventDetailState.is_open,
        on_close=EventDetailState.close,
        backdrop_closes=True,
        data_event_id=rx.cond(EventDetailState.is_open, _detail.id, None),
        class_name="event-sheet",
    )


def _facts() -> rx.Component:
    return rx.el.div(
        status_badge(_detail.status, _detail.status_label),
        rx.el.p(_detail.date, class_name="event-date"),
        rx.el.p(_detail.location, class_name="event-place"),
        show_if(_detail.address != "", rx.el.p(_detail.address, class_name="event-address")),
        show_if(_detail.host != "", rx.el.p(f"Chez {_detail.host}", class_name="event-address")),
        page_link("Ouvrir la page de la rencontre", to=routes.admin_event(_detail.id), class_name="event-page-link"),
        class_name="event-facts",
    )


def _overview() -> rx.Component:
    return rx.el.div(
        _figures(),
        _waiting(),
        newcomers_notice(),
        change_notice_progress(),
        sending_notice(),
        keep_focus(announcement_notice(), class_name="event-told-box"),
        _about(),
        class_name="event-overview",
    )


def _waiting() -> rx.Component:
    """The waiting list, read and polled only while somebody waits."""
    listed = rx.el.div(waiting_list(_detail.id), on_mount=WaitingState.follow(_detail.id))
    return show_if(_detail.stats.total_waiting > 0, listed)


def _figures() -> rx.Component:
    stats, turnout = _detail.stats, _detail.turnout
    return rx.el.section(
        rx.el.h3("Réponses"),
        stat_tiles(
            stat_tile(stats.total_attending, _detail.attending_label, "total_attending"),
            stat_tile(stats.total_not_attending, _detail.declined_label, "total_not_attending"),
            stat_tile(stats.total_no_response, "Pas de réponse", "total_no_response"),
            show_if(stats.total_waiting > 0, stat_tile(stats.total_waiting, "En liste d’attente", "total_waiting")),
            show_if(_detail.has_lunch, stat_tile(stats.total_with_lunch, "Avec déjeuner", "total_with_lunch")),
            show_if(_detail.has_lunch, stat_tile(_detail.total_meals, "Repas, invités compris", "total_meals")),
            stat_tile(stats.total_guests, "Invités", "total_guests"),
            stat_tile(stats.total_invited, "Total contactés", "total_invited"),
            show_if(turnout.is_known, stat_tile(turnout.arrived, "Venus", "total_arrived")),
            show_if(turnout.is_known, stat_tile(turnout.no_show, "Absents malgré leur réponse", "total_no_show")),
        ),
        show_if(_detail.capacity != "", _capacity()),
    )


def _capacity() -> rx.Component:
    return rx.el.div(
        rx.el.p(_detail.capacity, class_name="event-capacity-line"),
        progress_bar(_detail.taken, _detail.max_participants, "Places prises"),
        rx.el.p(_detail.places, class_name="event-places"),
        class_name="event-capacity",
    )


def _about() -> rx.Component:
    return rx.fragment(
        show_if(
            _detail.description != "",
            rx.el.section(rx.el.h3("Description"), rx.el.p(_detail.description, class_name="event-description")),
        ),
        show_if(
            _detail.speakers,
            rx.el.section(
                rx.el.h3("Intervenants"),
                rx.el.ul(rx.foreach(_detail.speakers, _speaker), class_name="event-speakers"),
            ),
        ),
    )


def _speaker(speaker: Speaker) -> rx.Component:
    return rx.el.li(
        rx.el.p(speaker.name, class_name="event-speaker-name"),
        show_if(speaker.line != "", rx.el.p(speaker.line, class_name="event-speaker-line")),
        show_if(speaker.bio != "", rx.el.p(speaker.bio, class_name="event-speaker-bio")),
    )


def notice_box(notice: Any) -> rx.Component:
    """What just succeeded or failed in a dialog; always rendered, so that screen readers announce changes."""
    title = rx.el.p(notice.title, class_name="banner-title")
    text = show_if(notice.text != "", rx.el.p(notice.text, class_name="banner-text"))
    return rx.el.div(
        show_if(notice.tone == "green", rx.el.div(title, text, on_mount=_SHOWN, class_name="banner banner-green")),
        show_if(notice.tone == "red", rx.el.div(title, text, on_mount=_SHOWN, class_name="banner banner-red")),
        role="status",
        class_name="event-notice",
    )


def _actions() -> rx.Component:
    return rx.el.div(
        show_if(
            _detail.can_send,
            button("Envoyer les invitations", on_click=EventSendingState.ask(_detail.id)),
        ),
        show_if(
            _detail.arrivals != "",
            external_link("Accueil", _detail.arrivals, class_name="button button-primary"),
        ),
        show_if(
            _detail.can_close,
            button("Clore l'accueil", variant="secondary", on_click=ClosingState.ask(_detail.id)),
        ),
        show_if(
            _detail.can_reopen,
            button("Rouvrir l’accueil", variant="secondary", on_click=ClosingState.reopen(_detail.id)),
        ),
        show_if(~_detail.invitation_sent, send_test_button(_detail.id, variant="secondary")),
        button(
            "Modifier",
            variant="secondary",
            on_click=[EventDetailState.close, EventFormState.edit(_detail.id)],
        ),
        button(
            "Dupliquer",
            variant="secondary",
            on_click=[EventDetailState.close, EventFormState.duplicate(_detail.id)],
        ),
        show_if(
            _detail.has_lunch,
            page_link("Tables", to=routes.event_tables(_detail.id), class_name="button button-secondary"),
        ),
        page_link("Imprimer", to=routes.event_printing(_detail.id), class_name="button button-secondary"),
        page_link(
            "Historique", to=f"{routes.ADMIN_ACTS}?objet=event.{_detail.id}", class_name="button button-secondary"
        ),
        button("Supprimer", variant="danger", on_click=EventDeletionState.ask(_detail.id)),
        class_name="dialog-foot event-sheet-actions",
    )
