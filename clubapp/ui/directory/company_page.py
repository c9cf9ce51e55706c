"""A company's public page, for visitors and for the preview that a member opens before saving."""

from typing import Any

import reflex as rx

from clubapp.ui.directory.member_cards import call_to_action, contact_links, member_cards, named_list
from clubapp.ui.kit.image import responsive_image
from clubapp.ui.kit.text import show_if


def company_view(company: Any, *, above: Any = (), heading: Any = rx.el.h1) -> rx.Component:
    """`company` is a Var of `services.directory.for_visitors.CompanyPage`; `above` stands before its content."""
    return rx.el.article(
        *above,
        rx.el.div(_head(company, heading), contact_links(company.contacts), _body(company), class_name="person-layout"),
        show_if(company.team.length() > 0, _team(company)),
        call_to_action(company.mail_hint, company.mail_href),
        class_name="person-page",
    )


def _head(company: Any, heading: Any) -> rx.Component:
    logo = responsive_image(company.logo, company.name, class_name="company-logo")
    text = rx.el.div(
        show_if(company.domain, rx.el.p(company.domain, class_name="domain-badge")),
        heading(company.name, class_name="page-title"),
        show_if(company.employees, rx.el.p(company.employees, class_name="person-role")),
        show_if(company.place, rx.el.p(company.place, class_name="person-place")),
        class_name="person-identity",
    )
    return rx.el.div(logo, text, class_name="person-head")


def _body(company: Any) -> rx.Component:
    return rx.el.div(
        show_if(company.description, rx.el.p(company.description, class_name="person-description")),
        named_list("Services proposés", company.services),
        class_name="person-body",
    )


def _team(company: Any) -> rx.Component:
    cards = member_cards(company.team, rx.el.h3)
    return rx.el.section(rx.el.h2(company.team_label, class_name="block-title"), cards, class_name="block team")
