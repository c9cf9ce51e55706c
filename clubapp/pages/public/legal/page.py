"""/mentions-legales and /confidentialite (P4)."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.public.legal.state import LegalState
from clubapp.services.privacy import legal_pages
from clubapp.ui import skeleton_lines, takeover
from clubapp.ui.frame.layouts import public_layout
from clubapp.ui.frame.titles import page_title
from clubapp.ui.kit.text import show_if
from clubapp.web.screens.page import Page


def content(title: str, page: Any) -> rx.Component:
    """A page of sections; its title is shown at once, because it takes the focus."""
    is_loaded = page.title != ""
    text = rx.fragment(rx.el.p(page.lead, class_name="legal-lead"), rx.foreach(page.sections, _section))
    article = rx.el.article(
        rx.el.h1(title, class_name="page-title"), rx.cond(is_loaded, text, skeleton_lines(8)), class_name="legal"
    )
    return public_layout(takeover(is_loaded), rx.el.div(article, class_name="wrap page"))


def _section(section: Any) -> rx.Component:
    items = rx.el.ul(rx.foreach(section.points, rx.el.li), class_name="legal-list")
    return rx.el.section(
        rx.el.h2(section.title, class_name="legal-title"),
        rx.foreach(section.paragraphs, lambda text: rx.el.p(text, class_name="legal-text")),
        show_if(section.points.length() > 0, items),
        key=section.title,
        class_name="legal-section",
    )


def notice() -> rx.Component:
    """Mentions légales."""
    return content(legal_pages.LEGAL_TITLE, LegalState.notice)


def privacy() -> rx.Component:
    """Confidentialité."""
    return content(legal_pages.PRIVACY_TITLE, LegalState.privacy)


# Functions of this module, not partial ones: Reflex bundles the parts of a page under the module of its function.
PAGES = (
    Page(
        route=routes.LEGAL,
        title=page_title(legal_pages.LEGAL_TITLE),
        content=notice,
        on_load=[LegalState.load],
    ),
    Page(
        route=routes.PRIVACY,
        title=page_title(legal_pages.PRIVACY_TITLE),
        content=privacy,
        on_load=[LegalState.load],
    ),
)
