"""Toasts say what was done or refused, in the corner of the page, or in the dialog in which it happened.

A success is shown for six seconds in all, an error until it is closed, that of an outage for twenty seconds; a success
that says what is to be done next stays as an error does. All disappear when a dialog opens or the screen is left, and
do not come back after a reload.
"""

from typing import Any

import reflex as rx
from reflex.vars import ObjectVar

from clubapp.ui.kit.button import close_button
from clubapp.ui.kit.text import show_if
from clubapp.ui.react.overlays.live_region import live_region
from clubapp.ui.react.overlays.toast_life import toast_life
from clubapp.web.screens.toasts import OUTAGE_SHOWN_SECONDS, SHOWN_SECONDS, Toast, ToastState


def toasts() -> rx.Component:
    """Both live regions; they exist before any message, so that screen readers follow them."""
    return live_region(
        rx.el.div(rx.foreach(ToastState.toasts, _success), class_name="toast-stack"),
        rx.el.div(rx.foreach(ToastState.toasts, _error), class_name="toast-stack"),
        roles=["status", "alert"],
        class_name="toasts",
    )


def _success(toast: ObjectVar[Toast]) -> rx.Component:
    after = rx.cond(toast.stays, 0, SHOWN_SECONDS * 1000)
    shown = _toast(toast, "toast toast-success", after, is_error=False)
    return rx.cond(toast.tone == "success", shown, rx.fragment())


def _error(toast: ObjectVar[Toast]) -> rx.Component:
    after = rx.cond(toast.is_outage, OUTAGE_SHOWN_SECONDS * 1000, 0)
    shown = _toast(toast, "toast toast-error", after, is_error=True)
    return rx.cond(toast.tone == "success", rx.fragment(), shown)


def _toast(toast: ObjectVar[Toast], own: str, after: Any, *, is_error: bool) -> rx.Component:
    shown = rx.el.div(
        rx.el.div(
            show_if(toast.title, rx.el.p(toast.title, class_name="toast-title")),
            show_if(toast.text, rx.el.p(toast.text, class_name="toast-text")),
            class_name="toast-body",
        ),
        close_button("Fermer le message", on_click=ToastState.dismiss(toast.id)),
        class_name=own,
    )
    end = ToastState.dismiss(toast.id)
    return toast_life(
        shown, key=toast.id, name=toast.id, leads_to=toast.leads_to, after=after, is_error=is_error, on_end=end
    )
