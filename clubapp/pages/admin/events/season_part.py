"""The events of the season beside the calendar: one card each, with its bar of answers."""

from typing import Any

import reflex as rx

from clubapp.pages.admin.events.state import SEASON, CalendarState
from clubapp.ui import empty_state, page_link, skeleton_lines, status_badge, visually_hidden
from clubapp.ui.kit.icon import icon
from clubapp.ui.kit.text import show_if
from clubapp.ui.react.lists.address_controls import filter_link
from clubapp.ui.records.answer_bar import answer_bar
from clubapp.ui.records.date_block import date_block

_season: Any = CalendarState.season


def season_panel() -> rx.Component:
    """The season that the calendar shows, or that was chosen; a press on a card opens the page of its event."""
    nothing = empty_state(
        "Aucune rencontre cette saison",
        rx.cond(
            _season.is_over,
            "Elle est passée\u00a0: aucune rencontre n’y a été enregistrée.",
            "Cliquez sur une date du calendrier pour en prévoir une.",
        ),
    )
    cards = rx.el.ol(rx.foreach(_season.cards, _card), class_name="season-cards")
    shown = rx.fragment(_head(), rx.cond(_season.cards, cards, nothing))
    return rx.el.section(
        rx.cond(CalendarState.is_loaded, shown, rx.cond(CalendarState.has_failed, rx.fragment(), skeleton_lines(8))),
        aria_label="La saison",
        class_name="card season",
    )


def _head() -> rx.Component:
    """The name of the season, and those before and after it."""
    said = visually_hidden("Saison ")
    before, after = (
        filter_link(*words, parameter=SEASON, value=name, class_name=class_name)
        for name, class_name, words in (
            (_season.previous, "season-before", (icon("chevron", 16), said, _season.previous)),
            (_season.following, "season-after", (said, _season.following, icon("chevron", 16))),
        )
    )
    return rx.el.div(
        rx.el.h2(_season.name, class_name="season-title"),
        rx.el.nav(before, after, aria_label="Autres saisons", class_name="season-turn"),
        class_name="season-head",
    )


def _card(card: Any) -> rx.Component:
    words = rx.el.span(
        rx.el.span(card.title, class_name="season-card-title"),
        rx.el.span(
            status_badge(card.status, card.status_label),
            show_if(card.places != "", rx.el.span(card.places, class_name="season-places")),
            class_name="season-line",
        ),
        show_if(card.bar, answer_bar(card.bar)),
        rx.el.span(card.said, class_name="season-said"),
        class_name="season-words",
    )
    return rx.el.li(
        page_link(date_block(card.month, card.day), words, to=card.href, class_name="season-card"),
        key=card.id,
        data_status=card.status,
        data_past=card.is_past,
    )
