"""An invitation with the form of its answer, and an entry of the list of past ones."""

from typing import Any

import reflex as rx

from clubapp.pages.member.invitations.state import InvitationsState
from clubapp.ui import empty_state, external_link, visually_hidden
from clubapp.ui.frame.club_identity import ClubState
from clubapp.ui.kit.text import show_if
from clubapp.ui.records.own_answer import answer_form


def coming(invitation: Any) -> rx.Component:
    """A future event: its facts, the recorded answer, and the form that changes it."""
    event = invitation.event
    badge = rx.el.span(invitation.said, class_name=f"badge badge-{invitation.tone}")
    said = rx.el.p(badge, class_name="own-event-said")
    return rx.el.article(
        rx.el.header(
            rx.el.h2(event.title, class_name="own-event-title"),
            show_if((invitation.offer == "") | (invitation.closed != ""), said),  # the form tells of an offer
        ),
        rx.el.dl(
            _fact("Quand", event.long_date),
            _fact("Où", rx.fragment(event.place, " ", _map(event))),
            _fact_if(event.speakers.length() > 0, "Avec", rx.foreach(event.speakers, _speaker)),
            _fact_if(event.lunch != "", "Déjeuner", rx.cond(event.lunch_closed == "", event.lunch, event.lunch_closed)),
            _fact_if(event.places != "", "Places", event.places),
            _fact_if((event.closes != "") & (invitation.closed == ""), "Répondre", "jusqu’au " + event.closes),
            class_name="own-event-facts",
        ),
        rx.cond(invitation.closed == "", answer_form(InvitationsState, invitation), _closed(invitation)),
        key=event.id,
        data_event_id=event.id,
        class_name="panel own-event",
    )


def past(invitation: Any) -> rx.Component:
    """A past event in one line."""
    return rx.el.li(
        rx.el.span(invitation.title, class_name="own-past-title"),
        rx.el.span(invitation.date, ", ", invitation.place, class_name="muted"),
        rx.el.span(invitation.said),
        class_name="own-past",
    )


def nothing_to_come() -> rx.Component:
    """The empty state of the list."""
    return empty_state(
        "Aucune invitation pour le moment",
        "Quand le club vous invite à une rencontre, vous la trouvez ici et vous y répondez sans chercher l’e-mail.",
    )


def _fact(name: str, value: Any) -> rx.Component:
    return rx.el.div(rx.el.dt(name), rx.el.dd(value))


def _fact_if(condition: Any, name: str, value: Any) -> rx.Component:
    return rx.cond(condition, _fact(name, value), rx.fragment())


def _speaker(speaker: Any) -> rx.Component:
    return rx.el.span(speaker, class_name="own-event-speaker")


def _map(event: Any) -> rx.Component:
    named = rx.fragment("Voir sur la carte", visually_hidden(" (nouvel onglet)"))
    return external_link(named, event.map_link, target="_blank", class_name="own-event-map")


def _closed(invitation: Any) -> rx.Component:
    return rx.el.p(
        invitation.closed,
        " Pour toute question, appelez ",
        ClubState.club.animator_name,
        " au ",
        external_link(ClubState.club.phone, ClubState.club.phone_href),
        ".",
        class_name="own-event-closed",
    )
