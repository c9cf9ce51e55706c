"""The tab of the day itself: the entrance, the tables, what is printed, what the host and the caterer were told."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.events.day.announcement_part import announcement_notice, caterer_form
from clubapp.pages.admin.events.day.closing_state import ClosingState
from clubapp.pages.admin.events.detail_state import EventDetailState
from clubapp.pages.admin.events.form_state import EventFormState
from clubapp.pages.admin.events.meeting.state import MeetingState
from clubapp.ui import button, external_link, link_button, page_link
from clubapp.ui.access.download_link import download_link
from clubapp.ui.kit.icon import Icon, icon
from clubapp.ui.kit.text import show_if
from clubapp.ui.react.lists.keep_focus import keep_focus

_meeting: Any = MeetingState.meeting
_detail: Any = EventDetailState.detail
_SECONDARY = "button button-secondary"


def day_tab() -> rx.Component:
    """The tab."""
    return rx.el.div(
        _entrance(),
        _numbers(),
        show_if(_detail.has_lunch, _tables()),
        _papers(),
        class_name="meeting-cards",
    )


def _card(drawing: Icon, title: str, text: Any, *acts: rx.Component) -> rx.Component:
    return rx.el.section(
        rx.el.span(icon(drawing), class_name="today-icon"),
        rx.el.div(
            rx.el.h2(title, class_name="meeting-card-title"),
            rx.el.p(text, class_name="meeting-row-detail"),
            rx.el.div(*acts, class_name="meeting-acts"),
            class_name="meeting-card-words",
        ),
        class_name="card meeting-card",
    )


def _entrance() -> rx.Component:
    arrived = rx.match(
        _detail.turnout.arrived,
        (0, "Personne n’est arrivé."),
        (1, "1 personne est arrivée."),
        f"{_detail.turnout.arrived} personnes sont arrivées.",
    )
    text = rx.cond(
        _detail.turnout.is_known,
        arrived,
        "Qui est attendu, et un bouton pour noter chaque arrivée\u00a0; fonctionne aussi sans réseau. "
        "«\u00a0Lien d’aide\u00a0» l’ouvre à ceux qui accueillent avec vous.",
    )
    opened = rx.cond(
        _detail.arrivals != "",
        external_link("Accueil et lien d’aide", _detail.arrivals, class_name=_SECONDARY),
        rx.el.p("S’ouvre une semaine avant une rencontre confirmée.", class_name="meeting-row-detail"),
    )
    return _card(
        "arrival",
        "Accueil",
        text,
        opened,
        show_if(_detail.can_close, button("Clore l'accueil", variant="quiet", on_click=ClosingState.ask(_meeting.id))),
        show_if(
            _detail.can_reopen,
            button("Rouvrir l’accueil", variant="quiet", on_click=ClosingState.reopen(_meeting.id)),
        ),
    )


def _numbers() -> rx.Component:
    told = (_detail.announcement.told != "") | (_detail.announcement.label != "")
    to_tell = rx.fragment(
        rx.el.p(
            "Personne n’est encore prévenu\u00a0: indiquez l’adresse du traiteur pour lui envoyer les nombres, "
            "ou celles du traiteur et de l’hôte, et ils leur parviennent quelques jours avant.",
            class_name="meeting-row-detail",
        ),
        caterer_form(),
        rx.el.div(
            button("Indiquer leurs adresses", variant="quiet", on_click=EventFormState.name_caterer(_meeting.id)),
            class_name="meeting-acts",
        ),
    )
    nobody = rx.cond(
        _meeting.is_cancelled | _meeting.has_begun,
        rx.el.p("Ni l’hôte ni le traiteur n’ont été prévenus.", class_name="meeting-row-detail"),
        to_tell,
    )
    return rx.el.section(
        rx.el.span(icon("meal"), class_name="today-icon"),
        rx.el.div(
            rx.el.h2("Nombres", class_name="meeting-card-title"),
            rx.el.p(_numbers_now(), class_name="meeting-numbers"),
            show_if(_detail.undecided != "", rx.el.p(_detail.undecided, ".", class_name="meeting-row-detail")),
            keep_focus(rx.cond(told, announcement_notice(), nobody)),
            class_name="meeting-card-words",
        ),
        class_name="card meeting-card",
    )


def _numbers_now() -> rx.Component:
    stats = _detail.stats
    meals = rx.fragment(", ", rx.el.strong(_detail.total_meals), " repas")
    return rx.fragment(
        rx.el.strong(stats.total_attending),
        rx.cond(stats.total_attending > 1, " membres, ", " membre, "),
        rx.el.strong(stats.total_guests),
        rx.cond(stats.total_guests > 1, " invités", " invité"),
        show_if(_detail.has_lunch, meals),
        ".",
    )


def _tables() -> rx.Component:
    return _card(
        "seat",
        "Tables",
        "Qui déjeune à quelle table\u00a0: une proposition mêle les métiers, vous la corrigez.",
        link_button("Composer les tables", routes.event_tables(_meeting.id), variant="secondary"),
    )


def _papers() -> rx.Component:
    return _card(
        "printer",
        "À imprimer",
        "Badges, feuille d’émargement, cartes de table, liste d’appels.",
        link_button("Imprimer", routes.event_printing(_meeting.id), variant="secondary"),
        download_link("Feuille d’émargement (PDF)", routes.attendance_sheet(_meeting.id), class_name="link"),
        page_link("Liste d’appels", to=routes.calling_list(_meeting.id), class_name="link"),
    )
