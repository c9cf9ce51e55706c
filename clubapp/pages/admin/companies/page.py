"""/admin/companies: the companies of the club."""

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.companies.form_part import company_form
from clubapp.pages.admin.companies.list_part import TEXTS, company_rows
from clubapp.pages.admin.companies.state import CompaniesState, CompanyFormState
from clubapp.ui import button
from clubapp.ui.frame.layouts import admin_layout
from clubapp.ui.records.layout import delete_question
from clubapp.ui.records.rows import table_links
from clubapp.web.screens.page import Page


def content() -> rx.Component:
    """The screen."""
    return admin_layout(
        rx.el.div(company_form(), company_rows(), class_name="records-screen"),
        delete_question(CompaniesState, CompanyFormState, TEXTS),
        title="Entreprises",
        hint=CompaniesState.listing.count_label,
        actions=[
            table_links(routes.companies_export, routes.IMPORT_COMPANIES),
            button(
                "Nouvelle entreprise", on_click=CompanyFormState.toggle_new, data_leaves_form="true", data_press="new"
            ),
        ],
        on_arrive=[CompanyFormState.begin, CompaniesState.keep],
    )


PAGES = [Page(route=routes.ADMIN_COMPANIES, title="Entreprises", content=content, on_load=[CompaniesState.load])]
