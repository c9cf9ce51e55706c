"""/member/rencontres: 'Mes rencontres', a member's home."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.member.meetings.state import OwnMeetingsState
from clubapp.ui import (
    empty_state,
    external_link,
    page_link,
    panel,
    polling,
    skeleton_lines,
    visually_hidden,
    when_loaded,
)
from clubapp.ui.frame.layouts import member_layout
from clubapp.ui.kit.icon import Icon, icon
from clubapp.ui.kit.image import responsive_image
from clubapp.ui.kit.text import show_if
from clubapp.ui.records.date_block import date_block
from clubapp.ui.records.own_answer import answer_form, yes_or_no
from clubapp.ui.records.start_switch import start_switch
from clubapp.web.screens.page import Page

TITLE = "Mes rencontres"
FOLLOW_MS = 5000
_home: Any = OwnMeetingsState.home
_next: Any = _home.next


def content() -> rx.Component:
    """The screen."""
    shown = rx.el.div(
        rx.el.div(_meeting(), _who_comes(), class_name="home-main"),
        rx.el.div(_completions(), _past(), class_name="home-side"),
        class_name="home",
    )
    return member_layout(
        polling(FOLLOW_MS, OwnMeetingsState.follow),
        when_loaded(
            OwnMeetingsState,
            shown,
            panel("Prochaine rencontre", skeleton_lines(6)),
            "Vos rencontres n’ont pas pu être chargées",
        ),
        show_if(OwnMeetingsState.is_loaded, rx.el.div(_start(), class_name="on-phone")),
        title=TITLE,
        actions=[rx.el.div(_start(), class_name="on-desk")],
        on_arrive=OwnMeetingsState.begin,
    )


def _start() -> rx.Component:
    return show_if(_home.has_choice, start_switch(_home.opens_here, OwnMeetingsState.choose_start))


def _meeting() -> rx.Component:
    none = empty_state(
        "Aucune rencontre n’est annoncée", "Dès que le club fixe la prochaine, vous la trouvez ici, et vous y répondez."
    )
    return rx.el.section(
        rx.cond(_next.id != "", _card(), none), aria_label=_next.heading, class_name="panel home-meeting"
    )


def _card() -> rx.Component:
    place = rx.el.span(
        _next.place,
        " ",
        external_link(
            rx.fragment("Voir sur la carte", visually_hidden(" (nouvel onglet)")), _next.map_link, target="_blank"
        ),
    )
    words = rx.el.div(
        rx.el.p(_next.heading, class_name="home-kind"),
        rx.el.h2(_next.title, class_name="home-title"),
        rx.el.ul(_fact("clock", rx.el.span(_next.hours)), _fact("place", place), class_name="home-facts"),
        class_name="home-words",
    )
    return rx.fragment(
        rx.el.div(date_block(_next.month, _next.day, _next.weekday), words, class_name="home-head"), _answer()
    )


def _fact(drawing: Icon, text: rx.Component) -> rx.Component:
    return rx.el.li(icon(drawing, 18), text)


def _answer() -> rx.Component:
    said = rx.el.div(
        rx.el.p(rx.el.span(_next.said, class_name=f"badge badge-{_next.tone}")),
        show_if(_next.note != "", rx.el.p(_next.note, class_name="muted")),
        class_name="home-said",
    )
    return rx.fragment(
        show_if(_next.said != "", rx.el.div(said, class_name="home-answer")),
        rx.foreach(_next.own, _answering),
    )


def _answering(invitation: Any) -> rx.Component:
    """What takes the answer, while answers are taken."""
    state = OwnMeetingsState
    taking = rx.cond(_next.is_answered, answer_form(state, invitation), yes_or_no(state, invitation))
    return rx.el.div(show_if(invitation.closed == "", taking), key=invitation.event.id, class_name="home-answering")


def _who_comes() -> rx.Component:
    nobody = rx.el.p("Personne n’a encore dit oui.", class_name="muted")
    people = rx.fragment(
        rx.el.p(_next.count, class_name="home-count"),
        show_if(
            _next.attendees.length() > 0, rx.el.ul(rx.foreach(_next.attendees, _attendee), class_name="home-people")
        ),
        show_if(_next.others != "", rx.el.p(_next.others, class_name="muted")),
        rx.el.p(
            "Ne sont nommés que ceux qui apparaissent dans l’annuaire des membres. ",
            page_link("Choisir ce que l’on voit de moi", to=routes.MEMBER),
            class_name="home-choice",
        ),
    )
    return show_if(_next.own.length() > 0, panel("Qui vient", rx.cond(_next.count != "", people, nobody)))


def _attendee(person: Any) -> rx.Component:
    return rx.el.li(
        responsive_image(person.picture, "", lazy=True, class_name="home-face"),
        rx.el.div(
            # A full page load: the public pages have styles of their own.
            external_link(person.name, person.href, class_name="home-name"),
            show_if(person.trade != "", rx.el.span(person.trade)),
            show_if(person.company != "", rx.el.span(person.company, class_name="muted")),
            class_name="home-words",
        ),
        key=person.id,
    )


def _completions() -> rx.Component:
    rows = rx.el.ul(rx.foreach(_home.completions, _completion), class_name="home-completions")
    return show_if(_home.completions.length() > 0, panel("Compléter ma fiche", rows))


def _completion(piece: Any) -> rx.Component:
    return rx.el.li(
        page_link(piece.action, to=routes.MEMBER, class_name="home-complete"),
        rx.el.span(piece.reason, class_name="muted"),
        key=piece.name,
    )


def _past() -> rx.Component:
    none = rx.el.p("Vos rencontres se trouveront ici une fois passées.", class_name="muted")
    rows = rx.el.ul(rx.foreach(_home.past, _past_meeting), class_name="home-past")
    return panel("Rencontres passées", rx.cond(_home.past.length() > 0, rows, none))


def _past_meeting(meeting: Any) -> rx.Component:
    return rx.el.li(
        rx.el.span(meeting.title, class_name="home-past-title"),
        rx.el.span(meeting.date, ", ", meeting.place, class_name="muted"),
        rx.el.span(meeting.said),
    )


PAGES = (Page(route=routes.MEMBER_MEETINGS, title=TITLE, content=content, on_load=[OwnMeetingsState.load]),)
