"""The events of the season beside the calendar: one card each, with its bar of answers."""

from typing import Any

import reflex as rx

from clubapp.pages.admin.events.state import CalendarState
from clubapp.ui import empty_state, page_link, skeleton_lines, status_badge
from clubapp.ui.kit.text import show_if
from clubapp.ui.records.answer_bar import answer_bar
from clubapp.ui.records.date_block import date_block

_season: Any = CalendarState.season


def season_panel() -> rx.Component:
    """The season that the calendar shows; a press on a card opens the page of its event."""
    nothing = empty_state("Rien n’est prévu cette saison", "Cliquez sur une date du calendrier pour commencer.")
    cards = rx.el.ol(rx.foreach(_season.cards, _card), class_name="season-cards")
    shown = rx.fragment(rx.el.h2(_season.name, class_name="season-title"), rx.cond(_season.cards, cards, nothing))
    return rx.el.section(
        rx.cond(CalendarState.is_loaded, shown, rx.cond(CalendarState.has_failed, rx.fragment(), skeleton_lines(8))),
        aria_label="La saison",
        class_name="card season",
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
