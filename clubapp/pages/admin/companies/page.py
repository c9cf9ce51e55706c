"""/admin/companies: the companies of the club (specification, section 2)."""

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.companies.state import CompaniesState
from clubapp.services.companies import CompanyRow
from clubapp.ui import empty_state, panel, spinner
from clubapp.ui.layouts import admin_layout
from clubapp.web.page import Page


def content() -> rx.Component:
    """The screen."""
    return admin_layout(
        panel("Liste des entreprises", rx.cond(CompaniesState.is_loaded, _list(), spinner())),
        title="Entreprises",
        hint=CompaniesState.listing.count_label,
    )


def _list() -> rx.Component:
    return rx.cond(
        CompaniesState.listing.rows,
        rx.el.ul(rx.foreach(CompaniesState.listing.rows, _row), class_name="people-rows"),
        empty_state("Aucune entreprise", "Les entreprises du club apparaîtront ici."),
    )


def _row(company: CompanyRow) -> rx.Component:
    return rx.el.li(
        rx.cond(
            company.logo != "",
            rx.el.img(
                src=company.logo,
                alt="",
                custom_attrs={"width": "48", "height": "48"},
                loading="lazy",
                class_name="people-logo",
            ),
            rx.el.span(company.letters, aria_hidden="true", class_name="people-letters"),
        ),
        rx.el.div(
            rx.el.p(company.name, class_name="people-name"),
            rx.el.p(company.city, class_name="people-position"),
            class_name="people-words",
        ),
        rx.el.span(company.domain, class_name="people-domain"),
        key=company.id,
        class_name="people-row",
    )


PAGES = [Page(route=routes.ADMIN_COMPANIES, title="Entreprises", content=content, on_load=[CompaniesState.load])]
