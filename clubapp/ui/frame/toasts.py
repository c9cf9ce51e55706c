"""Toasts say what was done or refused, in the corner of the page or in the header of the open dialog.

A success disappears after some seconds; an error stays until it is closed, or until a dialog opens.
"""

import reflex as rx
from reflex.vars import ObjectVar

from clubapp.ui.kit.button import close_button
from clubapp.ui.kit.text import show_if
from clubapp.ui.react.overlays.auto_dismiss import auto_dismiss
from clubapp.ui.react.overlays.live_region import live_region
from clubapp.ui.react.overlays.until_dialog import until_dialog
from clubapp.web.screens.toasts import SHOWN_SECONDS, Toast, ToastState


def toasts() -> rx.Component:
    """Both live regions; they exist before any message, so that screen readers follow them."""
    return live_region(
        rx.el.div(rx.foreach(ToastState.toasts, _success), class_name="toast-stack"),
        rx.el.div(rx.foreach(ToastState.toasts, _error), class_name="toast-stack"),
        roles=["status", "alert"],
        class_name="toasts",
    )


def _success(toast: ObjectVar[Toast]) -> rx.Component:
    timer = auto_dismiss(after=SHOWN_SECONDS * 1000, on_expire=ToastState.dismiss(toast.id))
    return rx.cond(toast.tone == "success", _toast(toast, "toast toast-success", timer), rx.fragment())


def _error(toast: ObjectVar[Toast]) -> rx.Component:
    shown = until_dialog(_toast(toast, "toast toast-error"), name=toast.id, on_dismiss=ToastState.dismiss(toast.id))
    return rx.cond(toast.tone == "success", rx.fragment(), shown)


def _toast(toast: ObjectVar[Toast], own: str, *extra: rx.Component) -> rx.Component:
    return rx.el.div(
        rx.el.div(
            show_if(toast.title, rx.el.p(toast.title, class_name="toast-title")),
            show_if(toast.text, rx.el.p(toast.text, class_name="toast-text")),
            class_name="toast-body",
        ),
        close_button("Fermer le message", on_click=ToastState.dismiss(toast.id)),
        *extra,
        key=toast.id,
        class_name=own,
    )
