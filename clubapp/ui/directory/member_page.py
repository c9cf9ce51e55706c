"""A member's public page, for visitors and for the preview that a member opens before saving."""

from typing import Any

import reflex as rx

from clubapp.ui.directory.member_cards import call_to_action, contact_links, named_list
from clubapp.ui.kit.image import responsive_image
from clubapp.ui.kit.links import page_link
from clubapp.ui.kit.text import show_if


def member_view(profile: Any, *, above: Any = (), contact_extras: Any = (), heading: Any = rx.el.h1) -> rx.Component:
    """`profile` is a Var of `services.directory.for_visitors.MemberPage`.

    `above` stands before its content, `contact_extras` below the contact links.
    """
    return rx.el.article(
        *above,
        rx.el.div(
            _head(profile, heading),
            contact_links(profile.contacts, *contact_extras),
            _body(profile),
            class_name="person-layout",
        ),
        call_to_action(profile.mail_hint, profile.mail_href),
        class_name="person-page",
    )


def _head(profile: Any, heading: Any) -> rx.Component:
    portrait = responsive_image(profile.picture, profile.name, class_name="person-portrait")
    company = rx.cond(
        profile.company_href != "",
        page_link(profile.company, to=profile.company_href, class_name="person-company"),
        rx.el.span(profile.company, class_name="person-company"),
    )
    text = rx.el.div(
        show_if(profile.domain, rx.el.p(profile.domain, class_name="kicker")),
        heading(profile.name, class_name="page-title"),
        show_if(profile.role, rx.el.p(profile.role, class_name="person-role")),
        show_if(profile.company, rx.el.p(company)),
        class_name="person-identity",
    )
    return rx.el.div(portrait, text, class_name="person-head")


def _body(profile: Any) -> rx.Component:
    return rx.el.div(
        show_if(profile.description, rx.el.p(profile.description, class_name="person-description")),
        named_list("Domaines d'expertise", profile.expertise),
        named_list("Services proposés", profile.services),
        class_name="person-body",
    )
