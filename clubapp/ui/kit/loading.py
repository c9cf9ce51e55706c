"""What a screen shows while something is loaded or done."""

from typing import Any

import reflex as rx
from reflex.vars import VarData

from clubapp.ui.kit.banner import error_state
from clubapp.ui.kit.button import button
from clubapp.ui.kit.text import Text, visually_hidden
from clubapp.ui.react.lists.read_again import read_again

# The parameters of the address.
_ADDRESSED = rx.Var(
    "addressed",
    _var_data=VarData(
        hooks={"const addressed = Object.values(useParams())": None}, imports={"react-router": "useParams"}
    ),
).to(list[str])
# The server said so: the visitor's connection is not at fault.
UNREAD = "Le site n’a pas pu répondre. Si la panne cesse, cet écran se relit de lui-même\u00a0; sinon, réessayez."


def when_loaded(state: Any, shown: rx.Component, waiting: rx.Component, failed: Text) -> rx.Component:
    """`shown` once the `Loading` state has its data, `waiting` before; `failed` and a retry button after a failure."""
    return rx.cond(state.is_loaded, shown, rx.cond(state.has_failed, _refused(state, failed), waiting))


def is_in_address(record_id: Any) -> Any:
    """Whether the record in the state is the one of the address: until another has come, the state has the last one."""
    return _ADDRESSED.contains(record_id)


def when_there(state: Any, is_there: Any, shown: rx.Component, back: rx.Component) -> rx.Component:
    """The page of the record in the address: `shown` once it is there; `state` is a `LoadingRecord`."""
    unread = rx.cond(state.has_failed, _refused(state, "Cette page n’a pas pu être chargée"), skeleton_lines(8))
    gone = error_state(state.missing.text, "", back)
    return rx.cond(is_in_address(state.missing.id), gone, rx.cond(is_there, shown, unread))


def _refused(state: Any, failed: Text) -> rx.Component:
    again = button("Réessayer", variant="secondary", on_click=state.load)
    return error_state(failed, UNREAD, rx.fragment(again, read_again(state.load)))


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
