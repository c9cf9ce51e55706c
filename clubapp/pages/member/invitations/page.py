"""/member/invitations: 'Mes invitations', answered without the mail."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.member.invitations.parts import coming, nothing_to_come, past
from clubapp.pages.member.invitations.state import InvitationsState
from clubapp.ui import panel, polling, skeleton_lines, when_loaded
from clubapp.ui.frame.layouts import member_layout
from clubapp.web.screens.page import Page

TITLE = "Mes invitations"
FOLLOW_MS = 5000


def content() -> rx.Component:
    """The screen."""
    shown: Any = InvitationsState.shown  # its attributes are Vars
    return member_layout(
        polling(FOLLOW_MS, InvitationsState.follow),
        when_loaded(
            InvitationsState,
            rx.el.div(
                rx.cond(
                    shown.coming.length() > 0,
                    rx.el.div(rx.foreach(shown.coming, coming), class_name="own-events"),
                    nothing_to_come(),
                ),
                rx.cond(shown.past.length() > 0, _past(shown.past), rx.fragment()),
                class_name="own-invitations",
            ),
            panel("Rencontres à venir", skeleton_lines(6)),
            "Vos invitations n’ont pas pu être chargées",
        ),
        title=TITLE,
        on_arrive=InvitationsState.begin,
    )


def _past(rows: rx.Var) -> rx.Component:
    return panel("Rencontres passées", rx.el.ul(rx.foreach(rows, past), class_name="own-pasts"))


PAGES = (Page(route=routes.MEMBER_INVITATIONS, title=TITLE, content=content, on_load=[InvitationsState.load]),)
