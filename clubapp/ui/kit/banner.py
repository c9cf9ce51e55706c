"""Messages within the page: banner, empty state, error state, failure of a form."""

from typing import Any

import reflex as rx

from clubapp.ui.kit.badge import Tone
from clubapp.ui.kit.text import Text, classes, show_if


def banner(title: Text, text: Text = "", tone: Tone = "amber", *actions: rx.Component, **props: Any) -> rx.Component:
    """A message across the page, followed by `actions`; its role is 'status' unless another is given."""
    props.setdefault("role", "status")
    body = rx.el.div(
        rx.el.p(title, class_name="banner-title"),
        show_if(text, rx.el.p(text, class_name="banner-text")),
        class_name="banner-body",
    )
    return rx.el.div(body, *actions, class_name=classes(f"banner banner-{tone}", props), **props)


def empty_state(title: Text, text: Text = "", action: rx.Component | None = None, **props: Any) -> rx.Component:
    """For a list without entries: what belongs there, and the next step."""
    return _placeholder("placeholder", title, text, action, props)


def error_state(title: Text, text: Text = "", action: rx.Component | None = None, **props: Any) -> rx.Component:
    """What went wrong, and what the person can do; announced as an alert."""
    props.setdefault("role", "alert")
    return _placeholder("placeholder placeholder-error", title, text, action, props)


def failure_banner(failure: Any) -> rx.Component:
    """Why saving failed, above the buttons of a form; nothing while `failure.title` is empty."""
    return rx.cond(
        failure.title != "",
        rx.el.div(
            rx.el.p(failure.title, class_name="banner-title"),
            rx.cond(failure.text != "", rx.el.p(failure.text, class_name="banner-text"), rx.fragment()),
            role="alert",
            tab_index=-1,
            data_form_failure="true",
            class_name="banner banner-red event-form-failure",
        ),
        rx.fragment(),
    )


def _placeholder(own: str, title: Text, text: Text, action: rx.Component | None, props: dict[str, Any]) -> rx.Component:
    return rx.el.div(
        rx.el.p(title, class_name="placeholder-title"),
        show_if(text, rx.el.p(text, class_name="placeholder-text")),
        action if action is not None else rx.fragment(),
        class_name=classes(own, props),
        **props,
    )
