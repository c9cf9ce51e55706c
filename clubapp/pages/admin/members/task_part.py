"""What waits for an administrator: requests for erasure with their deadline, and competitors to decide on."""

from collections.abc import Callable

import reflex as rx

from clubapp.pages.admin.members.state import MemberFormState, MembersState
from clubapp.services.members.competition import UndecidedPair
from clubapp.services.privacy.erasure import ErasureRequest
from clubapp.ui import badge, panel


def member_tasks() -> rx.Component:
    """The two lists, each only while it holds something."""
    return rx.fragment(
        _list("Demandes d’effacement", rx.Var.create(MembersState.requests), _request),
        _list("Concurrence à décider", rx.Var.create(MembersState.undecided), _pair),
    )


def erasure_notice() -> rx.Component:
    """The request of the member whose form is open."""
    return rx.foreach(
        MembersState.requests,
        lambda asked: rx.cond(
            asked.member_id == MemberFormState.form.id,
            rx.el.div(
                rx.el.p(f"A demandé l’effacement de ses données le {asked.asked}", class_name="banner-title"),
                rx.el.p(
                    f"La loi laisse un mois\u00a0: jusqu’au {asked.deadline}. Supprimer la fiche y répond.",
                    class_name="banner-text",
                ),
                class_name="banner banner-amber",
            ),
            rx.fragment(),
        ),
    )


def _list(title: str, tasks: rx.vars.ArrayVar, task: Callable[..., rx.Component]) -> rx.Component:
    rows = rx.el.ul(rx.foreach(tasks, task), class_name="record-tasks")
    return rx.cond(tasks.length() > 0, panel(title, rows, aria_label=title), rx.fragment())


def _request(asked: ErasureRequest) -> rx.Component:
    deadline = rx.cond(
        asked.is_late,
        badge(f"En retard depuis le {asked.deadline}", "red"),
        badge(f"Avant le {asked.deadline}", "amber"),
    )
    return _task(asked.member_id, asked.name, deadline, rx.el.span(f"demandé le {asked.asked}", class_name="muted"))


def _pair(pair: UndecidedPair) -> rx.Component:
    return _task(pair.member_id, pair.names, rx.el.span(pair.since, class_name="muted"))


def _task(member_id: str, text: str, *details: rx.Component) -> rx.Component:
    opener = rx.el.button(
        text,
        type="button",
        on_click=MemberFormState.edit(member_id),
        data_leaves_form="true",
        class_name="button button-quiet",
    )
    return rx.el.li(opener, *details, class_name="record-task")
