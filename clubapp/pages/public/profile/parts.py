"""The parts of a member's page. The first paint's template profile.html draws the same."""

from typing import Any

import reflex as rx

from clubapp.pages.public.profile.state import ProfileState
from clubapp.ui import page_link, skeleton_lines
from clubapp.ui.image import picture
from clubapp.ui.people import back_link, call_to_action, contact_card, contact_links, named_list
from clubapp.ui.text import shown_if

_PROFILE: Any = ProfileState.profile


def profile() -> rx.Component:
    """Who it is, what they do, how to reach them."""
    return rx.el.article(
        back_link(),
        rx.el.div(
            _heading(),
            contact_links(_PROFILE.contacts, contact_card(_PROFILE.card_href)),
            _body(),
            class_name="person-layout",
        ),
        call_to_action(_PROFILE.mail_hint, _PROFILE.mail_href),
        class_name="person-page",
    )


def loading() -> rx.Component:
    """The shape of what comes."""
    return rx.el.div(back_link(), skeleton_lines(6), class_name="person-page")


def _heading() -> rx.Component:
    portrait = picture(_PROFILE.picture, _PROFILE.name, class_name="person-portrait")
    company = rx.cond(
        _PROFILE.company_href != "",
        page_link(_PROFILE.company, to=_PROFILE.company_href, class_name="person-company"),
        rx.el.span(_PROFILE.company, class_name="person-company"),
    )
    text = rx.el.div(
        shown_if(_PROFILE.domain, rx.el.p(_PROFILE.domain, class_name="kicker")),
        rx.el.h1(_PROFILE.name, class_name="page-title"),
        shown_if(_PROFILE.role, rx.el.p(_PROFILE.role, class_name="person-role")),
        shown_if(_PROFILE.company, rx.el.p(company)),
        class_name="person-identity",
    )
    return rx.el.header(portrait, text, class_name="person-head")


def _body() -> rx.Component:
    return rx.el.div(
        shown_if(_PROFILE.description, rx.el.p(_PROFILE.description, class_name="person-description")),
        named_list("Domaines d'expertise", _PROFILE.expertise),
        named_list("Services proposés", _PROFILE.services),
        class_name="person-body",
    )
