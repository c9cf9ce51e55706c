"""/admin/actes: who did what, to what, when, and what changed (T1)."""

from collections.abc import Iterable
from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.acts.state import ActsState
from clubapp.services.base.act_codes import GROUPS
from clubapp.services.base.search import LONGEST_QUERY
from clubapp.services.monitoring.acts import AUTHORS, PERIODS, ActChange, ActRow
from clubapp.ui import button, cell, data_table, empty_state, skeleton_lines, table_row, visually_hidden, when_loaded
from clubapp.ui.access.download_link import download_link
from clubapp.ui.frame.layouts import admin_layout
from clubapp.ui.kit.links import page_link
from clubapp.ui.kit.text import broken_address, show_if
from clubapp.ui.react.forms.filter_form import filter_form
from clubapp.ui.react.lists.address_controls import page_turns
from clubapp.web.screens.page import Page

TITLE = "Journal des actes"
_page, _wanted = ActsState.page, ActsState.wanted


def content() -> rx.Component:
    """The screen."""
    shown = rx.el.div(_history(), _filters(), rx.cond(_page.rows, _table(), _nothing()), _pages(), class_name="journal")
    return admin_layout(
        when_loaded(ActsState, shown, skeleton_lines(10), "Le journal n’a pas pu être chargé"),
        title=TITLE,
        hint=_page.count_label,
        actions=[download_link("Exporter en CSV", _page.export_href, class_name="button button-secondary")],
    )


def _history() -> rx.Component:
    return show_if(
        _page.history_of != "",
        rx.el.div(
            rx.el.h2("Historique\u00a0: ", _page.history_of, class_name="acts-history-title"),
            page_link("Voir tous les actes", to=routes.ADMIN_ACTS),
            class_name="acts-history",
        ),
    )


def _filters() -> rx.Component:
    """Filters that stand in the address; another record or page is left by them."""
    field = rx.el.input(
        type="search",
        name="q",
        default_value=_wanted.text,
        placeholder="Personne, fiche ou acte",
        aria_label="Rechercher une personne, une fiche, un acte",
        auto_complete="off",
        max_length=LONGEST_QUERY,
        class_name="control",
    )
    subject = rx.el.input(type="hidden", name="objet", value=_wanted.subject, disabled=_wanted.subject == "")
    return filter_form(
        field,
        _list("Auteur", "auteur", "Tous les auteurs", _wanted.author, AUTHORS),
        _list("Genre d’acte", "genre", "Tous les actes", _wanted.group, GROUPS.items()),
        _list("Période", "periode", "Toute la période", _wanted.period, PERIODS),
        subject,
        button("Filtrer", type="submit", variant="secondary"),
        key=ActsState.generation,
        action=routes.ADMIN_ACTS,
        role="search",
        class_name="people-search",
    )


def _list(label: str, name: str, everything: str, value: Any, choices: Iterable[tuple[str, str]]) -> rx.Component:
    return rx.el.select(
        rx.el.option(everything, value=""),
        *[rx.el.option(text, value=key) for key, text in choices],
        name=name,
        default_value=value,
        aria_label=label,
        class_name="control control-select",
    )


def _table() -> rx.Component:
    return data_table(
        ["Date", "Auteur", "Acte", "Objet"],
        rx.foreach(_page.rows, _row),
        caption="Actes, du plus récent au plus ancien",
        class_name="journal-table acts-table",
    )


def _row(act: ActRow) -> rx.Component:
    return table_row(
        cell(rx.el.time(act.when, class_name="journal-when"), label="Date"),
        cell(_two_lines(broken_address(act.who_parts), act.source), label="Auteur"),
        cell(rx.el.div(_two_lines(act.label, act.note), _changes(act), class_name="journal-fate"), label="Acte"),
        cell(_subject(act), label="Objet"),
        key=act.id,
        data_act=act.action,
    )


def _two_lines(first: Any, second: Any) -> rx.Component:
    return rx.el.div(
        rx.el.span(first, class_name="journal-person"),
        show_if(second != "", rx.el.span(second, class_name="journal-about")),
        class_name="journal-who",
    )


def _subject(act: ActRow) -> rx.Component:
    name = rx.cond(
        act.subject_href != "",
        page_link(broken_address(act.subject_parts), to=act.subject_href),
        rx.cond(act.subject != "", broken_address(act.subject_parts), rx.el.span("—")),
    )
    return rx.el.div(
        name,
        show_if(act.subject_kind != "", rx.el.span(act.subject_kind, class_name="journal-about")),
        class_name="journal-who",
    )


def _changes(act: ActRow) -> rx.Component:
    return show_if(
        act.changes_label != "",
        rx.el.details(
            rx.el.summary(act.changes_label, visually_hidden(f" par «\u00a0{act.label}\u00a0», {act.when}")),
            rx.el.dl(rx.foreach(act.changes, _change), class_name="acts-changes"),
            class_name="small-details",
        ),
    )


def _change(change: ActChange) -> rx.Component:
    return rx.el.div(
        rx.el.dt(change.label),
        rx.el.dd(
            rx.el.del_(change.before),
            visually_hidden(" devient "),
            rx.el.span("→", aria_hidden="true", class_name="acts-arrow"),
            rx.el.ins(change.after),
        ),
        class_name="acts-change",
    )


def _nothing() -> rx.Component:
    return rx.cond(
        _page.is_narrowed,
        empty_state("Aucun acte ne correspond", "Changez de mots ou de filtres pour en retrouver."),
        empty_state("Aucun acte pour l’instant", "Ce que chacun fait sur le site s’inscrira ici."),
    )


def _pages() -> rx.Component:
    turns = page_turns(
        page=_page.page,
        pages=_page.pages,
        newer="Plus récents",
        older="Plus anciens",
        aria_label="Pages du journal",
        class_name="journal-pages",
    )
    return show_if(_page.pages > 1, turns)


PAGES = [Page(route=routes.ADMIN_ACTS, title=TITLE, content=content, on_load=[ActsState.load])]
