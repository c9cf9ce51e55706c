"""What a screen shows while something is loaded or done."""

from typing import Any

import reflex as rx

from clubapp.ui.kit.banner import error_state
from clubapp.ui.kit.button import button
from clubapp.ui.kit.text import Text, visually_hidden


def when_loaded(state: Any, shown: rx.Component, waiting: rx.Component, failed: Text) -> rx.Component:
    """`shown` once the `Loading` state has its data, `waiting` before; `failed` and a retry button after a failure."""
    again = button("Réessayer", variant="secondary", on_click=state.load)
    refused = error_state(failed, "Vérifiez votre connexion, puis réessayez.", again)
    return rx.cond(state.is_loaded, shown, rx.cond(state.has_failed, refused, waiting))


def spinner(label: Any = "Chargement…", **props: Any) -> rx.Component:
    """A turning ring with the text of what is awaited."""
    ring = rx.el.span(class_name="spinner-ring", aria_hidden="true")
    return rx.el.div(ring, rx.el.span(label), role="status", class_name="spinner", **props)


def skeleton_lines(lines: int = 3) -> rx.Component:
    """A placeholder for text that is being loaded."""
    bars = [rx.el.span(class_name="skeleton-line", aria_hidden="true") for _ in range(lines)]
    return rx.el.div(visually_hidden("Chargement…"), *bars, role="status", class_name="skeleton")


def skeleton_cards(cards: int = 6) -> rx.Component:
    """A placeholder for a grid of cards that is being loaded."""
    shapes = [_skeleton_card() for _ in range(cards)]
    return rx.el.div(visually_hidden("Chargement…"), *shapes, role="status", class_name="skeleton-cards")


def _skeleton_card() -> rx.Component:
    lines = [rx.el.span(class_name="skeleton-line") for _ in range(2)]
    disc = rx.el.span(class_name="skeleton-disc")
    return rx.el.div(disc, rx.el.div(*lines, class_name="skeleton"), aria_hidden="true", class_name="skeleton-card")


def progress_bar(value: Any, max: Any, label: str) -> rx.Component:
    """How far something has come; `label` is its accessible name."""
    return rx.el.progress(value=value, max=max, aria_label=label, class_name="progress")
