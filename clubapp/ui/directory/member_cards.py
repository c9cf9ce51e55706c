"""What the public pages of members and companies share: cards, contact links, lists.

The functions take Vars of the view models of services/directory/pages.py.
"""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.ui.kit.image import responsive_image
from clubapp.ui.kit.links import external_link, page_link
from clubapp.ui.kit.text import Text, show_if
from clubapp.ui.react.lists.filter_memory import filtered_link

BACK = "Retour aux membres"


def member_card(member: Any, heading: Any) -> rx.Component:
    """An entry of a grid that links to the member's page."""
    body = rx.el.span(
        heading(member.name, class_name="member-name"),
        show_if(member.role, rx.el.span(member.role, class_name="member-role")),
        show_if(member.company, rx.el.span(member.company, class_name="member-company")),
        class_name="member-body",
    )
    domain = show_if(member.domain, rx.el.span(member.domain, class_name="member-domain"))
    return rx.el.li(page_link(_face(member), body, domain, to=member.href, class_name="member-card"), key=member.id)


def member_cards(members: Any, heading: Any = rx.el.h2) -> rx.Component:
    """A grid of members."""
    return rx.el.ul(rx.foreach(members, lambda member: member_card(member, heading)), class_name="member-grid")


def contact_links(contacts: Any, *more: rx.Component) -> rx.Component:
    """One link for each of the contacts, then `more`; nothing when there are no contacts."""
    links = rx.el.ul(rx.foreach(contacts, _contact), class_name="contact-links")
    return show_if(contacts.length() > 0, rx.el.aside(links, *more, aria_label="Contact", class_name="person-aside"))


def contact_card(href: Any) -> rx.Component:
    """The link to a member's vCard file."""
    return external_link("Ajouter aux contacts", href, class_name="button button-secondary contact-card")


def named_list(title: str, items: Any) -> rx.Component:
    """A titled list; nothing when it is empty."""
    entries = rx.el.ul(rx.foreach(items, rx.el.li), class_name="named-list")
    section = rx.el.section(rx.el.h2(title, class_name="block-title"), entries, class_name="block")
    return show_if(items.length() > 0, section)


def call_to_action(hint: Text, mail_href: Text) -> rx.Component:
    """The end of a public page: a link to write, and the link back to the directory."""
    actions = rx.el.div(
        external_link("Envoyer un email", mail_href, class_name="button button-primary"),
        filtered_link(BACK, routes.DIRECTORY, class_name="button button-quiet"),
        class_name="call-actions",
    )
    return rx.el.section(
        rx.el.div(
            rx.el.h2("Intéressé par une collaboration ?", class_name="call-title"),
            rx.el.p(hint, class_name="call-hint"),
            class_name="call-body",
        ),
        actions,
        class_name="call",
    )


def back_link() -> rx.Component:
    """The link back to the directory, with the filter it was left with, above a public page."""
    return filtered_link(BACK, routes.DIRECTORY, class_name="back-link")


def _face(member: Any) -> rx.Component:
    photo = responsive_image(member.picture, member.name, lazy=True, class_name="face")
    letters = rx.el.span(member.initials, class_name=f"face face-{member.ground}", aria_hidden="true")
    return rx.cond(member.picture.src, photo, letters)


def _contact(contact: Any) -> rx.Component:
    return rx.el.li(
        external_link(
            rx.fragment(
                rx.el.span(contact.label, class_name="contact-label"),
                " ",
                rx.el.span(contact.detail, class_name="contact-detail"),
            ),
            contact.href,
            class_name=f"contact-link contact-{contact.kind}",
        ),
        key=contact.kind,
    )
