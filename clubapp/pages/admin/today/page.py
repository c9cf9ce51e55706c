"""/admin/aujourdhui: the next event, what is to be done, what leaves by itself, what came in."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.today.meeting_part import meeting_card
from clubapp.pages.admin.today.state import TodayState
from clubapp.ui import external_link, page_link, skeleton_lines, when_loaded
from clubapp.ui.frame.layouts import admin_layout
from clubapp.ui.kit.icon import icon
from clubapp.ui.kit.image import responsive_image
from clubapp.ui.kit.text import show_if
from clubapp.ui.react.lists.load_more import load_more_button
from clubapp.ui.react.lists.polling import polling
from clubapp.ui.records.start_switch import start_switch
from clubapp.web.screens.page import Page

TITLE = "Aujourd’hui"
FOLLOW_MS = 5 * 60_000
_day: Any = TodayState.day
_ICONS = {
    "receive": icon("arrival"),
    "doors": icon("arrival"),
    "thanks": icon("mail"),
    "missed": icon("warning"),
    "silent": icon("phone"),
    "invitations": icon("mail"),
    "numbers": icon("meal"),
    "waiting": icon("hourglass"),
    "text": icon("pencil"),
    "addresses": icon("warning"),
    "request": icon("lock"),
    "health": icon("pulse"),
    "trades": icon("people"),
    "members": icon("people"),
    "photographs": icon("image"),
    "review": icon("hourglass"),
}


def content() -> rx.Component:
    """The screen."""
    shown = rx.el.div(
        rx.el.div(meeting_card(_day.meeting), _tasks(), class_name="today-main"),
        rx.el.div(_leaving(), _news(), class_name="today-side"),
        class_name="today",
    )
    return admin_layout(
        rx.el.div(
            when_loaded(TodayState, shown, skeleton_lines(10), "La page du jour n’a pas pu être chargée"),
            class_name="today-screen",
        ),
        show_if(TodayState.is_loaded, rx.el.div(_start(), class_name="on-phone")),  # below what is as long as the day
        polling(FOLLOW_MS, TodayState.load),
        title=TITLE,
        hint=_day.date,
        actions=[rx.el.div(_start(), class_name="on-desk")],
    )


def _start() -> rx.Component:
    return start_switch(_day.opens_here, TodayState.choose_start)


def _tasks() -> rx.Component:
    count = _day.tasks.length()
    return rx.el.section(
        rx.el.h2("À faire", show_if(count > 0, rx.el.span(count, class_name="today-count")), class_name="today-title"),
        rx.cond(count > 0, rx.el.ol(rx.foreach(_day.tasks, _task), class_name="today-tasks"), _nothing()),
        class_name="card today-card",
    )


def _task(task: Any, index: Any) -> rx.Component:
    return rx.el.li(
        rx.el.span(rx.match(task.kind, *_ICONS.items(), icon("check")), class_name="today-icon"),
        rx.el.div(
            rx.el.p(task.title, class_name="today-line"),
            rx.el.p(task.detail, class_name="today-detail"),
            class_name="today-words",
        ),
        _act(task, ["button", rx.cond(index == 0, "button-primary", "button-secondary")]),
        key=f"{task.kind}{task.title}",
        data_task=task.kind,
        data_fault=task.is_fault,
    )


def _act(task: Any, class_name: list[Any]) -> rx.Component:
    """The arrivals are a document of their own, which the browser loads by itself."""
    words = rx.fragment(task.action, rx.el.span("\u00a0: ", task.title, class_name="visually-hidden"))
    return rx.cond(
        task.is_document,
        external_link(words, task.href, class_name=class_name),
        page_link(words, to=task.href, class_name=class_name),
    )


def _nothing() -> rx.Component:
    return rx.el.div(
        rx.el.span(icon("check", 24), class_name="today-done"),
        rx.el.p("Rien ne vous attend", class_name="today-line"),
        rx.el.p("Tout ce qui dépendait de vous est fait. Belle journée\u00a0!", class_name="today-detail"),
        class_name="today-nothing",
    )


def _leaving() -> rx.Component:
    return rx.el.section(
        rx.el.h2("Part tout seul", class_name="today-title"),
        rx.cond(
            _day.leaving,
            rx.el.ul(rx.foreach(_day.leaving, _mailing), class_name="today-leaving"),
            rx.el.p("Aucun envoi n’est prévu pour les prochaines rencontres.", class_name="today-empty"),
        ),
        page_link("Lire ce qui part", to=routes.ADMIN_PLANNED, class_name="today-more"),
        class_name="card today-card",
    )


def _mailing(mailing: Any) -> rx.Component:
    return rx.el.li(
        rx.el.p(
            rx.el.span(mailing.day, class_name="today-line"),
            " ",
            rx.el.span(mailing.hour, class_name="today-detail"),
            class_name="today-when",
        ),
        rx.el.div(
            rx.el.p(
                page_link(mailing.name, to=mailing.href, class_name="today-who"),
                rx.el.span(", ", mailing.recipients, class_name="today-detail"),
                class_name="today-line",
            ),
            rx.el.p(mailing.event, class_name="today-detail"),
            class_name="today-words",
        ),
        key=mailing.id,
    )


def _news() -> rx.Component:
    more = load_more_button(
        _day.news_more,
        more=_day.news_more != "",
        shown=_day.news.length(),
        on_more=TodayState.show_all_news,
        class_name="today-news-more",
    )
    return rx.el.section(
        rx.el.h2(
            rx.cond(_day.since != "", "Depuis votre dernière visite", "Ces sept derniers jours"),
            class_name="today-title",
        ),
        show_if(_day.since != "", rx.el.p(_day.since, class_name="today-since")),
        rx.cond(
            _day.news,
            rx.el.ul(rx.foreach(_day.news, _event), class_name="today-news"),
            rx.el.p("Personne n’a répondu ni changé sa fiche.", class_name="today-empty"),
        ),
        more,
        class_name="card today-card",
    )


def _event(event: Any) -> rx.Component:
    return rx.el.li(
        responsive_image(event.picture, "", lazy=True, class_name="today-face"),
        rx.el.p(
            page_link(event.name, to=event.href, class_name="today-who"),
            " ",
            event.text,
            show_if(event.about != "", rx.el.span(event.about, class_name="today-detail today-about")),
            class_name="today-words",
        ),
        rx.el.time(event.when, title=event.moment, class_name="today-detail"),
        key=event.id,
    )


PAGES = [Page(route=routes.ADMIN_TODAY, title=TITLE, content=content, on_load=[TodayState.load])]
