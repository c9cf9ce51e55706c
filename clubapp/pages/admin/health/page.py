"""/admin/sante: what is wrong with the installation, and what to do about it."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.doctor import ReportLine
from clubapp.pages.admin.health.state import HealthState
from clubapp.ui import button, page_link, panel, polling, skeleton_lines, when_loaded
from clubapp.ui.frame.layouts import admin_layout
from clubapp.ui.kit.text import show_if
from clubapp.web.screens.page import Page

TITLE = "Santé"
LOOKING_MS, IDLE_MS = 1_000, 10_000
_report = HealthState.report


def content() -> rx.Component:
    """The screen."""
    shown = rx.el.div(
        _sum(),
        _group("À faire", _report.concerns),
        _group("E-mails", _report.mail),
        _group("Tâches automatiques", _report.jobs),
        _group("Installation", _report.installation, panel("Installation", skeleton_lines(8))),
        class_name="health",
    )
    return admin_layout(
        when_loaded(HealthState, shown, skeleton_lines(10), "L’état du site n’a pas pu être lu"),
        # Outside `when_loaded`, so that the screen recovers by itself after an outage.
        polling(rx.cond(_report.is_looking, LOOKING_MS, IDLE_MS), HealthState.load),
        title=TITLE,
        hint="Ce qui fait vivre le site, vu par lui-même.",
        actions=[
            button(
                "Vérifier maintenant",
                variant="secondary",
                busy=_report.is_looking,
                busy_label="Vérification…",
                on_click=HealthState.look_again,
            )
        ],
    )


def _sum() -> rx.Component:
    return rx.el.div(
        rx.el.p(_report.headline, class_name="health-headline"),
        rx.el.p(_report.text, class_name="health-sum-text"),
        role="status",
        data_tone=_report.tone,
        class_name="health-sum",
    )


def _group(title: str, lines: Any, otherwise: rx.Component | None = None) -> rx.Component:
    shown = panel(title, rx.el.ul(rx.foreach(lines, _line), class_name="health-lines"), class_name="health-group")
    return rx.cond(lines, shown, otherwise or rx.fragment())


def _line(line: ReportLine) -> rx.Component:
    return rx.el.li(
        rx.el.span(line.label, class_name=f"badge badge-{line.tone} health-state"),
        rx.el.div(
            rx.el.p(line.name, class_name="health-name"),
            rx.el.p(line.text, class_name="health-text"),
            show_if(
                line.mend != "",
                rx.el.p(
                    rx.el.strong("Que faire\u00a0: "),
                    line.mend,
                    ". ",
                    show_if(line.page != "", page_link("Voir les messages", to=line.page)),
                    class_name="health-mend",
                ),
            ),
            class_name="health-words",
        ),
        key=line.name,
        data_health=line.state,
        class_name="health-line",
    )


PAGES = [Page(route=routes.ADMIN_HEALTH, title=TITLE, content=content, on_load=[HealthState.load])]
