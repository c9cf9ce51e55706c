"""The company form, above the list."""

from typing import Any

import reflex as rx

from clubapp.pages.admin.companies.state import CompanyFormState
from clubapp.services.typed import DOMAIN_CHOICES, NOTHING
from clubapp.ui import button, field, form_actions, form_row, panel, required_note, select, text_area
from clubapp.ui.differences import differences
from clubapp.ui.image_field import image_field
from clubapp.ui.vendor.kept_form import kept_form
from clubapp.ui.vendor.revealed import revealed

_form: Any = CompanyFormState.form
_errors = CompanyFormState.errors
_is_new = _form.id == ""


def company_form() -> rx.Component:
    """The form while it is shown; another company's is another form."""
    title = rx.cond(_is_new, "Nouvelle entreprise", f"Modifier {_form.name}")
    shown = revealed(panel(title, _fields()), key=CompanyFormState.opening, class_name="record-form")
    return rx.cond(CompanyFormState.is_open, shown, rx.fragment())


def _fields() -> rx.Component:
    return kept_form(
        rx.el.input(type="hidden", name="id", value=_form.id, read_only=True),
        rx.el.input(type="hidden", name="seen", value=_form.seen, read_only=True),
        differences(CompanyFormState.rivals, CompanyFormState.told),
        required_note(),
        _identity(),
        _contact(),
        _facts(),
        form_actions(
            button("Annuler", variant="secondary", on_click=CompanyFormState.close),
            button(
                rx.cond(_is_new, "Créer", "Mettre à jour"),
                type="submit",
                busy=CompanyFormState.is_saving,
                busy_label="Enregistrement…",
            ),
        ),
        name=rx.cond(_is_new, "company:new", f"company:{_form.id}"),
        on_submit=CompanyFormState.save,
        on_restore=CompanyFormState.restore,
        busy=CompanyFormState.is_saving,
        attempt=CompanyFormState.attempt,
        class_name="form",
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
