"""The parts of a company's page. The first paint's template company.html draws the same."""

from typing import Any

import reflex as rx

from clubapp.pages.public.company.state import CompanyState
from clubapp.ui import skeleton_lines
from clubapp.ui.image import picture
from clubapp.ui.people import back_link, call_to_action, contact_links, member_cards, named_list
from clubapp.ui.text import shown_if

_COMPANY: Any = CompanyState.company


def company() -> rx.Component:
    """What it does, who works there, how to reach it."""
    return rx.el.article(
        back_link(),
        rx.el.div(_heading(), contact_links(_COMPANY.contacts), _body(), class_name="person-layout"),
        shown_if(_COMPANY.team.length() > 0, _team()),
        call_to_action(_COMPANY.mail_hint, _COMPANY.mail_href),
        class_name="person-page",
    )


def loading() -> rx.Component:
    """The shape of what comes."""
    return rx.el.div(back_link(), skeleton_lines(6), class_name="person-page")


def _heading() -> rx.Component:
    logo = picture(_COMPANY.logo, _COMPANY.name, class_name="company-logo")
    text = rx.el.div(
        shown_if(_COMPANY.domain, rx.el.p(_COMPANY.domain, class_name="domain-badge")),
        rx.el.h1(_COMPANY.name, class_name="page-title"),
        shown_if(_COMPANY.employees, rx.el.p(_COMPANY.employees, class_name="person-role")),
        class_name="person-identity",
    )
    return rx.el.header(logo, text, class_name="person-head")


def _body() -> rx.Component:
    return rx.el.div(
        shown_if(_COMPANY.description, rx.el.p(_COMPANY.description, class_name="person-description")),
        named_list("Services proposés", _COMPANY.services),
        class_name="person-body",
    )


def _team() -> rx.Component:
    cards = member_cards(_COMPANY.team, rx.el.h3)
    return rx.el.section(rx.el.h2(_COMPANY.team_label, class_name="block-title"), cards, class_name="block team")
