"""Dialogs: something to read or fill above the page, and the question before an act that cannot be undone."""

from typing import Any

import reflex as rx

from clubapp.ui.kit.button import button
from clubapp.ui.kit.text import Text, classes
from clubapp.ui.react.overlays.modal import modal


def dialog(
    title: Text,
    *children: Any,
    open: Any,
    on_close: Any,
    wide: bool = False,
    description: Text = "",
    **props: Any,
) -> rx.Component:
    """A dialog above the page. Its content exists while it is open; Esc and the cross call `on_close`.

    `backdrop_closes=True` lets a click beside it close it too: for dialogs that hold nothing typed.
    """
    own = "dialog dialog-wide" if wide else "dialog"
    return modal(
        *children,
        title=title,
        description=description,
        open=open,
        on_close=on_close,
        class_name=classes(own, props),
        **props,
    )


def confirm_dialog(
    title: Text,
    text: Text,
    *details: rx.Component,
    open: Any,
    on_confirm: Any,
    on_cancel: Any,
    confirm_label: Text = "Confirmer",
    danger: bool = False,
    busy: bool | rx.Var[bool] = False,
    **props: Any,
) -> rx.Component:
    """The question before an act, then its `details`; the focus starts on 'Annuler'."""
    choices = rx.el.div(
        button("Annuler", variant="secondary", on_click=on_cancel, data_autofocus="true"),
        button(confirm_label, variant="danger" if danger else "primary", busy=busy, on_click=on_confirm),
        class_name="dialog-actions",
    )
    return modal(
        *details,
        choices,
        title=title,
        description=text,
        open=open,
        on_close=on_cancel,
        role="alertdialog",
        class_name=classes("dialog dialog-confirm", props),
        **props,
    )
