"""Whom of the club a member has never met, folded, for the animator who composes tables."""

from typing import Any

import reflex as rx

from clubapp.pages.admin.members.state import MemberFormState
from clubapp.ui.kit.text import show_if

_never_met: Any = MemberFormState.never_met


def never_met_lists() -> rx.Component:
    """For the record of a member; nothing before their first meeting."""
    shown = rx.el.section(
        rx.el.h3("Jamais rencontrés"),
        rx.foreach(_never_met, _folded),
        class_name="presence never-met",
    )
    return show_if(_never_met.length() > 0, shown)


def _folded(strangers: Any) -> rx.Component:
    return rx.el.details(
        rx.el.summary(strangers.label),
        rx.el.ul(rx.foreach(strangers.members, _name)),
        key=strangers.label,
    )


def _name(name: Any) -> rx.Component:
    return rx.el.li(name)
