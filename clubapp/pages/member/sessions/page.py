"""'Mes sessions', in both areas: the open sessions, with buttons to end them (S9), and the second factors (S12)."""

import reflex as rx

from clubapp import routes
from clubapp.pages.member.sessions.factors_part import factors_panel
from clubapp.pages.member.sessions.state import OwnSessionsState
from clubapp.services.access.session_list import SessionRow
from clubapp.ui import badge, button, panel, polling, skeleton_lines, when_loaded
from clubapp.ui.access.enrolment_state import FactorsState
from clubapp.ui.frame.layouts import admin_layout, member_layout
from clubapp.ui.kit.text import show_if
from clubapp.ui.react.frame.session import sign_out_form
from clubapp.web.screens.page import Page

TITLE = "Mes sessions"
HINT = "Les navigateurs connectés avec votre adresse. Une session dure une heure au plus."
FOLLOW_MS = 5000


def member_content() -> rx.Component:
    """The screen in the member area."""
    return member_layout(_sessions(), _factors(), title=TITLE, hint=HINT)


def admin_content() -> rx.Component:
    """The screen in the administration."""
    return admin_layout(_sessions(), _factors(), title=TITLE, hint=HINT)


def _factors() -> rx.Component:
    """Below the sessions once it is known how many lines they take: nothing moves."""
    return show_if(OwnSessionsState.is_loaded | OwnSessionsState.has_failed, factors_panel())


def _sessions() -> rx.Component:
    rows = rx.el.ul(rx.foreach(OwnSessionsState.sessions, _row), class_name="session-rows")
    return panel(
        "Sessions ouvertes",
        when_loaded(
            OwnSessionsState, rx.fragment(rows, _all()), skeleton_lines(4), "Vos sessions n’ont pas pu être chargées"
        ),
        polling(FOLLOW_MS, OwnSessionsState.load),
    )


def _row(one: SessionRow) -> rx.Component:
    ending = button(
        "Fermer",
        rx.el.span(f" la session ouverte le {one.since}, {one.browser}", class_name="visually-hidden"),
        variant="secondary",
        on_click=OwnSessionsState.end(one.id),
    )
    return rx.el.li(
        rx.el.div(
            rx.el.p(one.browser, class_name="session-browser"),
            rx.el.p("Depuis le ", one.since, class_name="muted"),
            class_name="session-what",
        ),
        rx.cond(one.is_this_one, badge("Cette session", "green"), ending),
        key=one.id,
        class_name="session-row",
    )


def _all() -> rx.Component:
    others = button("Fermer mes autres sessions", variant="secondary", on_click=OwnSessionsState.end_others)
    everywhere = button("Tout fermer et me déconnecter", type="submit", variant="danger")
    return rx.el.div(
        rx.cond(rx.Var.create(OwnSessionsState.sessions).length() > 1, others, rx.fragment()),
        sign_out_form(everywhere, action=routes.SIGN_OUT_EVERYWHERE),
        class_name="form-actions",
    )


_LOADS = [OwnSessionsState.load, FactorsState.load]
PAGES = (
    Page(
        route=routes.MEMBER_SESSIONS,
        title=TITLE,
        content=member_content,
        on_load=_LOADS,
    ),
    Page(
        route=routes.ADMIN_SESSIONS,
        title=TITLE,
        content=admin_content,
        on_load=_LOADS,
    ),
)
