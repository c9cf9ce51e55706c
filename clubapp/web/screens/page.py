"""The declaration of a screen, and its first paint."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import reflex as rx
from jinja2 import Template

from clubapp import routes
from clubapp.services.public_site import club_presentation
from clubapp.web.documents.component_templates import JINJA, template_source


@dataclass(frozen=True)
class Page:
    """A screen: where it is, its title, what it shows, what it loads, and what it shows before the interface starts.

    `first_paint` is the same as `content` where nothing else is said. A screen without an interface is what the server
    writes, and nothing else: forms and links that need no script. `prepared_on` has what it loads beforehand, by
    the route of the screen that leads to it.
    """

    route: str
    title: str | rx.Var[str]
    content: Callable[[], rx.Component]
    on_load: Sequence[Any] = field(default_factory=tuple)
    prepared_on: Mapping[str, Any] = field(default_factory=dict)
    first_paint: Callable[[], rx.Component] | None = None
    has_interface: bool = True


_pages: dict[str, Page] = {}


def add_pages(app: rx.App, pages: Sequence[Page]) -> None:
    """Register all the screens."""
    for page in pages:
        _pages[page.route] = page
        if not page.has_interface:
            continue
        app.add_page(
            page.content,
            route=page.route.strip("/") or "/",
            title=page.title,
            description=page.title if page.route == routes.NOT_FOUND else None,  # Reflex has an English one for it
            image="",
            on_load=[
                *page.on_load,
                *(near.prepared_on[page.route] for near in pages if page.route in near.prepared_on),
            ],
        )


def first_paint(route: str, **states: Any) -> str:
    """The HTML of the screen at a route. `states` are the fields it shows of its state, or the values it is given by
    name; the club's are always there."""
    return _template(route).render(here=route, club_state={"club": club_presentation.build_presentation()}, **states)


@cache
def _template(route: str) -> Template:
    page = _pages[route]
    return JINJA.from_string(template_source((page.first_paint or page.content)()))
