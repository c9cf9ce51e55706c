"""/membres: the directory, filtered by domain."""

import reflex as rx

from clubapp import routes
from clubapp.pages.public.directory import parts
from clubapp.pages.public.directory.state import DirectoryState
from clubapp.ui import takeover
from clubapp.ui.directory.list_parts import domain_filters
from clubapp.ui.frame.layouts import public_layout
from clubapp.ui.frame.titles import page_title
from clubapp.ui.react.lists.filter_memory import filter_memory
from clubapp.web.screens.page import Page


def content() -> rx.Component:
    """The screen."""
    return public_layout(
        filter_memory(routes.DIRECTORY),
        takeover(DirectoryState.is_loaded | (DirectoryState.error != "")),
        rx.el.div(
            parts.heading(),
            domain_filters(DirectoryState.found, routes.DIRECTORY),
            parts.members(),
            class_name="wrap page directory",
        ),
    )


PAGES = (Page(route=routes.DIRECTORY, title=page_title("Nos membres"), content=content, on_load=[DirectoryState.load]),)
