"""The company form, above the list."""

from typing import Any

import reflex as rx

from clubapp.pages.admin.companies.state import CompanyFormState
from clubapp.services.base.form_fields import DOMAIN_CHOICES, NOTHING
from clubapp.ui import field, form_row, select, text_area
from clubapp.ui.records.image_field import image_field
from clubapp.ui.records.layout import record_form

_form: Any = CompanyFormState.form
_errors = CompanyFormState.errors
_is_new = _form.id == ""


def company_form() -> rx.Component:
    """The form for a new or an existing record."""
    return record_form(
        CompanyFormState,
        _identity(),
        _contact(),
        _facts(),
        draft="company",
        new_title="Nouvelle entreprise",
    )


def _identity() -> rx.Component:
    return rx.fragment(
        image_field("Logo", "logo_url", "logos", value=_form.logo_url, alt=_form.name, error=_errors["logo_url"]),
        form_row(
            _line("Nom de l'entreprise", "name", required=True, data_autofocus=rx.cond(_is_new, "true", None)),
            select(
                "Domaine d'activité",
                "activity_domain",
                [(NOTHING, "Choisir un domaine"), *DOMAIN_CHOICES[1:]],
                required=True,
                default_value=_form.activity_domain,
                error=_errors["activity_domain"],
            ),
        ),
        text_area(
            "Description",
            "description",
            rows=5,
            required=True,
            default_value=_form.description,
            error=_errors["description"],
        ),
    )


def _contact() -> rx.Component:
    return rx.fragment(
        form_row(
            _line("E-mail", "email", type="email"),
            _line("Téléphone", "phone", type="tel"),
            _line("Site web", "website", type="url"),
        ),
        form_row(
            _line("Adresse", "address"),
            _line("Code postal", "postal_code"),
            _line("Ville", "city"),
        ),
    )


def _facts() -> rx.Component:
    hint = "Séparez par des virgules."
    return rx.fragment(
        form_row(
            _line("Année de création", "founded_year", input_mode="numeric"),
            _line("Effectif", "employee_count", hint="Par exemple 10-50."),
        ),
        form_row(
            _line("Services proposés", "services", hint=hint), _line("Certifications", "certifications", hint=hint)
        ),
    )


def _line(label: str, name: str, **props: Any) -> rx.Component:
    return field(label, name, default_value=_form[name], error=_errors[name], auto_complete="off", **props)
