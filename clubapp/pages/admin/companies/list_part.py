"""The list of companies, its search, and the question before one is deleted."""

import reflex as rx

from clubapp.pages.admin.companies.state import CompaniesState, CompanyFormState
from clubapp.services.company_list import CompanyRow
from clubapp.services.typed import DOMAIN_CHOICES
from clubapp.ui import button, confirm_dialog, empty_state, error_state, panel, spinner
from clubapp.ui.image import picture
from clubapp.ui.records import ALL, missing_badge, more_button, record_filter, record_row, record_rows, record_search

ASK_TO_DELETE = "Êtes-vous sûr de vouloir supprimer cette entreprise ? Les membres associés ne seront pas supprimés."
_COMPLETENESS = ((ALL, "Toutes les fiches"), ("to_complete", "À compléter"))
_DOMAINS = ((ALL, "Tous les domaines"), *DOMAIN_CHOICES[1:])

_listing, _wanted = CompaniesState.listing, CompaniesState.wanted


def company_rows() -> rx.Component:
    """The companies, or why they are not there."""
    shown = rx.fragment(
        _search(),
        rx.el.p(_listing.found_label, role="status", class_name="people-found"),
        rx.cond(_listing.rows, _rows(), _nobody()),
        more_button(_listing.more, CompaniesState.show_more),
    )
    return panel(
        "Liste des entreprises",
        rx.cond(CompaniesState.is_loaded, shown, rx.cond(CompaniesState.has_failed, _failed(), spinner())),
    )


def delete_question() -> rx.Component:
    """Asked before what cannot be undone."""
    return confirm_dialog(
        f"Supprimer {CompaniesState.doomed_name}",
        ASK_TO_DELETE,
        open=CompaniesState.doomed != "",
        on_confirm=[CompaniesState.delete, CompanyFormState.drop(CompaniesState.doomed)],
        on_cancel=CompaniesState.keep,
        confirm_label="Supprimer",
        danger=True,
        busy=CompaniesState.is_busy,
    )


def _search() -> rx.Component:
    completeness = rx.cond(_wanted.to_complete, "to_complete", ALL)
    domain = rx.cond(_wanted.domain != "", _wanted.domain, ALL)
    return record_search(
        "Rechercher une entreprise",
        _wanted.text,
        CompaniesState.search,
        record_filter("Domaine d'activité", domain, _DOMAINS, CompaniesState.choose_domain),
        record_filter("Fiches", completeness, _COMPLETENESS, CompaniesState.choose_completeness),
    )


def _rows() -> rx.Component:
    return record_rows(_listing.rows, _row, "Entreprises")


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
    return rx.cond(company.logo.src != "", picture(company.logo, "", lazy=True, class_name="people-logo"), letters)


def _nobody() -> rx.Component:
    return rx.cond(
        _listing.found_label != "",
        empty_state("Aucune entreprise ne correspond", "Changez de mots ou de filtres pour en retrouver."),
        empty_state(
            "Aucune entreprise",
            "Créez la première\u00a0: vous pourrez ensuite y rattacher ses membres.",
            button("Créer la première entreprise", on_click=CompanyFormState.toggle_new),
        ),
    )


def _failed() -> rx.Component:
    return error_state(
        "La liste n'a pas pu être chargée",
        "Vérifiez votre connexion, puis réessayez.",
        button("Réessayer", variant="secondary", on_click=CompaniesState.load),
    )
