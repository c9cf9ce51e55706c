"""What waits for an administrator: requests about data with their deadline, and competitors to decide on."""

from collections.abc import Callable

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.members.state import MemberFormState, MembersState
from clubapp.services.members.competition import UndecidedPair
from clubapp.services.privacy.rights_requests import OpenRequest
from clubapp.ui import badge, link_button, panel

_UNFOLDED = 3


def member_tasks() -> rx.Component:
    """The two lists, each only while it holds something."""
    return rx.fragment(
        _list("Demandes sur les données", rx.Var.create(MembersState.requests), _request),
        _list("Concurrence à décider", rx.Var.create(MembersState.undecided), _pair),
    )


def request_notice() -> rx.Component:
    """The requests of the member whose form is open."""
    return rx.foreach(
        MembersState.requests,
        lambda asked: rx.cond(
            asked.member_id == MemberFormState.form.id,
            rx.el.div(
                rx.el.p(f"{asked.name} {asked.does}", class_name="banner-title"),
                rx.el.p(
                    f"Depuis le {asked.asked}. La loi laisse un mois\u00a0: jusqu’au {asked.deadline}.",
                    class_name="banner-text",
                ),
                class_name="banner banner-amber",
            ),
            rx.fragment(),
        ),
    )


def _list(title: str, tasks: rx.vars.ArrayVar, task: Callable[..., rx.Component]) -> rx.Component:
    """The first ones; the others are folded, for the list of members stands below."""
    rest = tasks.length() - _UNFOLDED
    folded = rx.el.details(
        rx.el.summary(rx.cond(rest > 1, f"{rest} autres", "1 autre"), class_name="rivals-summary"),
        rx.el.ul(rx.foreach(tasks[_UNFOLDED:], task), class_name="record-tasks"),
    )
    first = rx.el.ul(rx.foreach(tasks[:_UNFOLDED], task), class_name="record-tasks")
    shown = panel(title, first, rx.cond(rest > 0, folded, rx.fragment()), aria_label=title)
    return rx.cond(tasks.length() > 0, shown, rx.fragment())


def _request(asked: OpenRequest) -> rx.Component:
    deadline = rx.cond(
        asked.is_late,
        badge(f"En retard depuis le {asked.deadline}", "red"),
        badge(f"Avant le {asked.deadline}", "amber"),
    )
    opener = link_button(f"{asked.name} {asked.does}", routes.ADMIN_REQUESTS, variant="quiet")
    return rx.el.li(
        opener, deadline, rx.el.span(f"depuis le {asked.asked}", class_name="muted"), class_name="record-task"
    )


def _pair(pair: UndecidedPair) -> rx.Component:
    return _task(pair.member_id, pair.names, rx.el.span(pair.since, class_name="muted"))


def _task(member_id: str, text: str, *details: rx.Component) -> rx.Component:
    opener = rx.el.button(
        text,
        type="button",
        on_click=MemberFormState.decide(member_id),
        data_leaves_form="true",
        class_name="button button-quiet",
    )
    return rx.el.li(opener, *details, class_name="record-task")
