"""/admin and /admin/members: the members of the club (specification, section 2)."""

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.members.state import MembersState
from clubapp.services.members import MemberRow
from clubapp.ui import empty_state, panel, spinner
from clubapp.ui.layouts import admin_layout
from clubapp.web.page import Page


def content() -> rx.Component:
    """The screen."""
    return admin_layout(
        panel("Liste des membres", rx.cond(MembersState.is_loaded, _list(), spinner())),
        title="Membres",
        hint=MembersState.listing.count_label,
    )


def _list() -> rx.Component:
    return rx.cond(
        MembersState.listing.rows,
        rx.el.ul(rx.foreach(MembersState.listing.rows, _row), class_name="people-rows"),
        empty_state("Aucun membre", "Les membres du club apparaîtront ici."),
    )


def _row(member: MemberRow) -> rx.Component:
    return rx.el.li(
        rx.el.img(
            src=member.image,
            alt="",
            custom_attrs={"width": "48", "height": "48"},
            loading="lazy",
            class_name="people-face",
        ),
        rx.el.div(
            rx.el.p(member.name, class_name="people-name"),
            rx.el.p(member.position, class_name="people-position"),
            class_name="people-words",
        ),
        rx.el.span(member.domain, class_name="people-domain"),
        key=member.id,
        class_name="people-row",
    )


PAGES = [
    Page(route=route, title="Membres", content=content, on_load=[MembersState.load])
    for route in (routes.ADMIN, routes.ADMIN_MEMBERS)
]
