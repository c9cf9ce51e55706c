"""/member/annuaire: 'Annuaire des membres', with what each shows to members."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.member.directory.state import MemberDirectoryState
from clubapp.ui import empty_state, external_link, link_button, page_link, skeleton_cards, when_loaded
from clubapp.ui.directory.list_parts import directory_search, domain_filters, more_members
from clubapp.ui.frame.layouts import member_layout
from clubapp.ui.kit.icon import Icon, icon
from clubapp.ui.kit.image import responsive_image
from clubapp.ui.kit.text import show_if
from clubapp.web.screens.page import Page

TITLE = "Annuaire des membres"
_found: Any = MemberDirectoryState.found


def content() -> rx.Component:
    """The screen."""
    people = rx.fragment(
        rx.el.ul(rx.foreach(_found.members, _colleague), class_name="panel colleagues"), more_members(_found)
    )
    shown = rx.cond(_found.members.length() > 0, people, _nobody())
    waiting = rx.el.div(skeleton_cards(8), class_name="panel colleagues-loading")
    return member_layout(
        rx.el.div(
            rx.el.p(_found.count_label, role="status", class_name="directory-count"),
            directory_search(_found, routes.MEMBER_DIRECTORY),
            class_name="directory-head",
        ),
        domain_filters(_found, routes.MEMBER_DIRECTORY),
        when_loaded(MemberDirectoryState, shown, waiting, "L’annuaire n’a pas pu être chargé"),
        rx.el.p(
            "Chacun choisit ce que les membres voient de lui. ",
            page_link("Choisir ce que l’on voit de moi", to=routes.MEMBER),
            class_name="colleagues-choice",
        ),
        title=TITLE,
    )


def _colleague(person: Any) -> rx.Component:
    # A full page load: the public pages have styles of their own.
    name = rx.cond(
        person.href != "",
        external_link(person.name, person.href, class_name="colleague-name"),
        rx.el.span(person.name, class_name="colleague-name"),
    )
    return rx.el.li(
        responsive_image(person.picture, "", lazy=True, class_name="colleague-face"),
        rx.el.div(name, show_if(person.trade != "", rx.el.span(person.trade)), class_name="colleague-words"),
        rx.el.div(
            show_if(person.company != "", rx.el.span(person.company)),
            show_if(person.domain != "", rx.el.span(person.domain, class_name="muted")),
            class_name="colleague-words colleague-company",
        ),
        rx.el.div(
            _reach("phone", person.phone, person.phone_href),
            _reach("mail", person.email, person.email_href),
            class_name="colleague-reach",
        ),
        key=person.id,
        data_person_id=person.id,
    )


def _reach(drawing: Icon, text: Any, href: Any) -> rx.Component:
    """A telephone number or address to touch; a number that cannot be dialled is text."""
    words = rx.fragment(icon(drawing, 18), rx.el.span(text))
    link = external_link(words, href, class_name="colleague-contact")
    return show_if(text != "", rx.cond(href != "", link, rx.el.span(words, class_name="colleague-contact")))


def _nobody() -> rx.Component:
    everyone = link_button("Voir tous les membres", routes.MEMBER_DIRECTORY, variant="secondary")
    narrowed = (_found.wanted != "") | (_found.chosen != "")
    return empty_state(_found.nobody, _found.advice, show_if(narrowed, everyone))


PAGES = (Page(route=routes.MEMBER_DIRECTORY, title=TITLE, content=content, on_load=[MemberDirectoryState.load]),)
