"""The list of companies."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.companies.state import CompaniesState, CompanyFormState
from clubapp.services.companies import listing
from clubapp.ui.kit.image import responsive_image
from clubapp.ui.react.lists.filter_memory import filter_memory
from clubapp.ui.records.layout import RecordTexts, filter_chip, record_list
from clubapp.ui.records.table import (
    Column,
    delete_act,
    missing_cell,
    phone_cell,
    record_row,
    row_opener,
    text_cell,
)

TEXTS = RecordTexts(
    title="Liste des entreprises",
    rows="Entreprises",
    search="Rechercher une entreprise",
    none_found="Aucune entreprise ne correspond",
    none="Aucune entreprise",
    none_hint="Créez la première\u00a0: vous pourrez ensuite y rattacher ses membres.",
    first="Créer la première entreprise",
    back="Voir les entreprises",
    ask_to_delete="Êtes-vous sûr de vouloir supprimer cette entreprise ? Les membres associés ne seront pas supprimés.",
)


_COLUMNS = (
    Column("Nom", "nom"),
    Column("Domaine", "domaine"),
    Column("Ville", "ville"),
    Column("Téléphone", "telephone"),
    Column("Équipe", "membres"),
    Column("À compléter"),
)


def company_rows() -> rx.Component:
    """The companies, with search and filters."""
    chips = [filter_chip("À compléter", listing.RECORDS, listing.TO_COMPLETE)]
    shown = record_list(CompaniesState, CompanyFormState, TEXTS, _row, columns=_COLUMNS, chips=chips, kind="companies")
    return rx.fragment(filter_memory(routes.ADMIN_COMPANIES), shown)


def _row(company: Any) -> rx.Component:
    return record_row(
        text_cell(company.domain, class_name="record-trade"),
        text_cell(company.city),
        phone_cell(company.phone, company.phone_href),
        text_cell(company.people, class_name="record-people"),
        missing_cell(company.missing, company.parts, listing.ALL_PARTS),
        id=company.id,
        name=company.name,
        opener=row_opener(_logo(company), company.name, "", rx.fragment(), CompanyFormState.edit(company.id)),
        page=routes.admin_company(company.id),
        acts=[delete_act(company.name, CompaniesState.ask_to_delete(company.id, company.name))],
    )


def _logo(company: Any) -> rx.Component:
    letters = rx.el.span(company.letters, aria_hidden="true", class_name="people-letters")
    return rx.cond(
        company.logo.src != "", responsive_image(company.logo, "", lazy=True, class_name="people-logo"), letters
    )
