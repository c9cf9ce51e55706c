"""The list of companies."""

import reflex as rx

from clubapp.pages.admin.companies.state import CompaniesState, CompanyFormState
from clubapp.services.companies.listing import CompanyRow
from clubapp.ui.kit.image import responsive_image
from clubapp.ui.records.layout import RecordTexts, record_list
from clubapp.ui.records.rows import missing_badge, record_row

TEXTS = RecordTexts(
    title="Liste des entreprises",
    rows="Entreprises",
    search="Rechercher une entreprise",
    none_found="Aucune entreprise ne correspond",
    none="Aucune entreprise",
    none_hint="Créez la première\u00a0: vous pourrez ensuite y rattacher ses membres.",
    first="Créer la première entreprise",
    ask_to_delete="Êtes-vous sûr de vouloir supprimer cette entreprise ? Les membres associés ne seront pas supprimés.",
)


def company_rows() -> rx.Component:
    """The companies, with search and filters."""
    return record_list(CompaniesState, CompanyFormState, TEXTS, _row)


def _row(company: CompanyRow) -> rx.Component:
    return record_row(
        id=company.id,
        name=company.name,
        line=company.city,
        domain=company.domain,
        face=_logo(company),
        badges=missing_badge(company.missing),
        on_open=CompanyFormState.edit(company.id),
        on_delete=CompaniesState.ask_to_delete(company.id, company.name),
    )


def _logo(company: CompanyRow) -> rx.Component:
    letters = rx.el.span(company.letters, aria_hidden="true", class_name="people-letters")
    return rx.cond(
        company.logo.src != "", responsive_image(company.logo, "", lazy=True, class_name="people-logo"), letters
    )
