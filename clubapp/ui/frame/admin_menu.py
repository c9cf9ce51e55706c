"""The menus of the administration: at the side of a desk's screen, at the foot of a phone's."""

from dataclasses import dataclass
from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.ui.frame.brand import emblem
from clubapp.ui.frame.club_identity import ClubState
from clubapp.ui.frame.menu_state import MenuState
from clubapp.ui.frame.top_bar import search_button
from clubapp.ui.kit.icon import Icon, icon
from clubapp.ui.kit.links import page_link
from clubapp.ui.kit.text import show_if, visually_hidden
from clubapp.ui.react.frame.menu import collapsible_menu
from clubapp.ui.react.frame.menu_link import menu_link
from clubapp.ui.react.lists.polling import polling

AREA = "Administration"
EVERY_MS = 60_000
_counts: Any = MenuState.counts


@dataclass(frozen=True)
class Entry:
    """A line of the menu; it is current on its own screen, on those of `also`, and on those below `under`."""

    text: str
    to: Any  # a path, or the Var of one
    drawing: Icon
    also: tuple[str, ...] = ()
    under: tuple[str, ...] = ()


_MEMBERS = (routes.ADMIN_MEMBERS,)
_DAILY = (
    Entry("Aujourd’hui", routes.ADMIN_TODAY, "sun"),
    Entry("Événements", routes.ADMIN_EVENTS, "calendar", under=(routes.ADMIN_EVENTS,)),
    Entry(
        "Membres",
        routes.ADMIN,
        "people",
        also=(*_MEMBERS, routes.IMPORT_MEMBERS, routes.ADMIN_REQUESTS),
        under=_MEMBERS,
    ),
    Entry(
        "Entreprises",
        routes.ADMIN_COMPANIES,
        "building",
        also=(routes.IMPORT_COMPANIES,),
        under=(routes.ADMIN_COMPANIES,),
    ),
    Entry(
        "Emails",
        routes.ADMIN_EMAILS,
        "mail",
        also=(routes.ADMIN_REMINDERS, routes.ADMIN_MAIL_LOG, routes.ADMIN_PLANNED),
        under=(routes.ADMIN_EMAILS,),
    ),
)
_SELDOM = (
    Entry("Administrateurs", routes.ADMIN_ADMINISTRATORS, "shield"),
    Entry("Santé", routes.ADMIN_HEALTH, "pulse"),
    Entry("Journal des actes", routes.ADMIN_ACTS, "list"),
)


def admin_sidebar(panel: rx.Component) -> rx.Component:
    """The menu with its figures, and `panel`, who is signed in, at its foot; folded behind a button on a phone."""
    name = rx.el.span(
        rx.el.span(rx.el.span(ClubState.club.name, class_name="brand-name"), class_name="brand-line"),
        rx.el.span(AREA, class_name="brand-area"),
        class_name="brand-words",
    )
    # The accessible name of the link until the club's name is loaded.
    label = rx.cond(ClubState.club.name == "", AREA, rx.Var("undefined"))
    home = page_link(emblem(), name, to=routes.ADMIN_TODAY, aria_label=label, class_name="brand")
    links = rx.el.nav(
        rx.el.div(*[_line(entry, is_near=True) for entry in _DAILY], class_name="menu-group"),
        rx.el.div(*map(_line, _SELDOM), class_name="menu-group"),
        aria_label=AREA,
        class_name="sidebar-menu",
    )
    # Read on arrival, after each act, and with the clock.
    figures = rx.fragment(
        rx.el.span(on_mount=MenuState.refresh, hidden=True), polling(EVERY_MS, MenuState.refresh, follows_acts=True)
    )
    fold = collapsible_menu(links, panel, class_name="fold")
    return rx.el.header(home, search_button(), fold, figures, class_name="sidebar")


def shortcuts() -> rx.Component:
    """What a phone's thumb reaches: the day, the next event, its calls, the members."""
    return rx.el.nav(
        _shortcut(Entry("Aujourd’hui", routes.ADMIN_TODAY, "sun"), MenuState.tasks, " à faire"),
        _shortcut(Entry("Rencontre", _counts.meeting_href, "calendar", also=(routes.ADMIN_EVENTS,))),
        _shortcut(Entry("Appels", _counts.calls_href, "phone"), _counts.silent, " sans réponse"),
        _shortcut(Entry("Membres", routes.ADMIN, "people", also=_MEMBERS, under=_MEMBERS)),
        aria_label="Raccourcis",
        class_name="shortcuts",
    )


def _line(entry: Entry, *, is_near: bool = False) -> rx.Component:
    """The figure describes the link and is no part of its name."""
    key = f"menu{entry.to.replace('/', '-')}"
    return menu_link(
        icon(entry.drawing),
        rx.el.span(entry.text, id=key),
        rx.el.span(_figure(entry.to), id=f"{key}-figure", class_name="menu-figure"),
        to=entry.to,
        also=list(entry.also),
        under=list(entry.under),
        is_near=is_near,
        aria_labelledby=key,
        aria_describedby=f"{key}-figure",
        class_name="sidebar-link",
    )


def _figure(to: str) -> rx.Component:
    shown = {
        routes.ADMIN_TODAY: lambda: _count(MenuState.tasks, " à faire", "menu-pill"),
        routes.ADMIN_EVENTS: lambda: _count(_counts.events, " à venir"),
        routes.ADMIN: lambda: _count(_counts.members, " actifs"),
        routes.ADMIN_COMPANIES: lambda: _count(_counts.companies),
        routes.ADMIN_EMAILS: _failures,
        routes.ADMIN_ADMINISTRATORS: lambda: _count(_counts.administrators),
        routes.ADMIN_HEALTH: _health,
    }
    return shown[to]() if to in shown else rx.fragment()


def _count(number: Any, unit: str = "", class_name: str = "") -> rx.Component:
    return show_if(number > 0, rx.el.span(number, visually_hidden(unit), class_name=class_name))


def _failures() -> rx.Component:
    told = rx.cond(_counts.failures > 1, f"{_counts.failures.to_string()} échecs", "1 échec")
    return show_if(_counts.failures > 0, rx.el.span(told))


def _health() -> rx.Component:
    health: Any = MenuState.health
    drawing = rx.cond(health.tone == "green", icon("check", 14), icon("warning", 14))
    told = rx.el.span(drawing, health.headline, class_name="menu-health", data_tone=health.tone)
    return show_if(health.tone != "", told)


def _shortcut(entry: Entry, number: Any = None, unit: str = "") -> rx.Component:
    key = f"shortcut-{entry.drawing}"
    badge = _count(number, unit, "shortcut-count") if number is not None else rx.fragment()
    return menu_link(
        rx.el.span(icon(entry.drawing, 24), rx.el.span(badge, id=f"{key}-figure"), class_name="shortcut-icon"),
        rx.el.span(entry.text, id=key),
        to=entry.to,
        also=list(entry.also),
        under=list(entry.under),
        is_near=True,
        aria_labelledby=key,
        aria_describedby=f"{key}-figure",
        class_name="shortcut",
    )
