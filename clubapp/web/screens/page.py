"""What a screen declares of itself."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import reflex as rx

from clubapp.web.screens.toasts import ToastState


@dataclass(frozen=True)
class Page:
    """A screen: where it is, its title, what it shows, what it loads."""

    route: str
    title: str | rx.Var[str]
    content: Callable[[], rx.Component]
    on_load: Sequence[Any] = field(default_factory=tuple)


def add_pages(app: rx.App, pages: Sequence[Page]) -> None:
    """Register the screens."""
    for page in pages:
        app.add_page(
            page.content,
            route=page.route.strip("/") or "/",
            title=page.title,
            image="",
            on_load=[ToastState.sweep, *page.on_load],
        )
