"""The member form, above the list."""

from typing import Any

import reflex as rx

from clubapp.pages.admin.members.competition_part import competition_panel
from clubapp.pages.admin.members.never_met_part import never_met_lists
from clubapp.pages.admin.members.presence_part import presence_row
from clubapp.pages.admin.members.state import MemberFormState
from clubapp.pages.admin.members.task_part import request_notice
from clubapp.services.base.form_fields import DOMAIN_CHOICES
from clubapp.services.members.admin_form import HAS_CONSENT
from clubapp.ui import checkbox, field, form_row, select, text_area
from clubapp.ui.kit.field import aria_attributes, field_frame
from clubapp.ui.react.forms.copying_select import copying_select
from clubapp.ui.records.image_field import image_field
from clubapp.ui.records.layout import record_form

FIRST_NAME_HINT = "Pour s’adresser au membre dans les e-mails. S’il est vide, il est deviné d’après le nom."
CONSENT_HINT = (
    "De vive voix ou par écrit\u00a0: le site montre alors ce qui est coché. Le club garde la date et votre adresse."
)
_form: Any = MemberFormState.form
_entry: Any = MemberFormState.entry
_errors = MemberFormState.errors
_is_new = _form.id == ""


def member_form() -> rx.Component:
    """The form for a new or an existing record."""
    return record_form(
        MemberFormState,
        request_notice(),
        _identity(),
        _contact(),
        _trade(),
        competition_panel(),
        _visibility(),
        presence_row(),
        never_met_lists(),
        draft="member",
        new_title="Nouveau membre",
    )


def _identity() -> rx.Component:
    return rx.fragment(
        image_field("Photo", value=_form.image_url, alt=_form.name, error=_errors["image_url"]),
        form_row(
            _line("Nom complet", "name", required=True, data_autofocus=rx.cond(_is_new, "true", None)),
            _line("Prénom", "first_name", hint=FIRST_NAME_HINT),
            _line("Fonction", "role", required=True),
        ),
        form_row(
            _company(),
            select(
                "Domaine d'activité",
                "activity_domain",
                list(DOMAIN_CHOICES),
                default_value=_form.activity_domain,
                error=_errors["activity_domain"],
                hint="L’entreprise que vous choisissez y met le sien\u00a0; changez-le ensuite au besoin.",
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


def _company() -> rx.Component:
    control_id, hint = (
        "field-company_id",
        "Elle n’est pas dans la liste\u00a0? Choisissez «\u00a0Nouvelle entreprise…\u00a0»\u00a0: son nom suffit.",
    )
    error = _errors["company_id"]
    control = copying_select(
        id=control_id,
        name="company_id",
        choices=MemberFormState.choices,
        target="activity_domain",
        default_value=_form.company_id,
        required=True,
        class_name="control control-select",
        **aria_attributes(control_id, hint, error),
    )
    chosen = field_frame("Entreprise", control_id, control, required=True, hint=hint, error=error)
    named = field(
        "Nom de la nouvelle entreprise",
        "company",
        required=True,
        default_value="",
        error=_errors["company"],
        hint="Elle sera créée avec ce membre\u00a0; complétez sa fiche ensuite dans «\u00a0Entreprises\u00a0».",
        auto_complete="off",
    )
    return rx.el.div(chosen, rx.el.div(named, class_name="company-name"), class_name="company-choice")


def _contact() -> rx.Component:
    return rx.fragment(
        form_row(
            _line("E-mail", "email", type="email", hint="C’est aussi son adresse de connexion."),
            _line("Téléphone", "phone", type="tel"),
        ),
        form_row(_line("LinkedIn", "linkedin", type="url"), _line("Site web", "website", type="url")),
    )


def _trade() -> rx.Component:
    hint = "Séparez par des virgules."
    return form_row(
        _line("Domaines d'expertise", "expertise", hint=hint), _line("Services proposés", "services", hint=hint)
    )


def _visibility() -> rx.Component:
    shown = (
        ("Présent dans l’annuaire", "is_listed", _form.is_listed),
        ("E-mail visible", "shows_email", _form.shows_email),
        ("Téléphone visible", "shows_phone", _form.shows_phone),
        ("Photo visible", "shows_photo", _form.shows_photo),
    )
    to_members = (
        ("Annuaire des membres", "is_listed_to_members", _form.is_listed_to_members),
        ("E-mail pour les membres", "shows_email_to_members", _form.shows_email_to_members),
        ("Téléphone pour les membres", "shows_phone_to_members", _form.shows_phone_to_members),
        ("Photo pour les membres", "shows_photo_to_members", _form.shows_photo_to_members),
    )
    words = rx.el.span(
        "Membre ", rx.el.span("actif", class_name="switch-on"), rx.el.span("inactif", class_name="switch-off")
    )
    switch = checkbox(
        words,  # pyright: ignore[reportArgumentType]
        "is_active",
        role="switch",
        aria_label="Membre actif",
        default_checked=_form.is_active,
        hint="Inactif, il quitte l’annuaire, ne reçoit plus d’e-mails, ne peut plus se connecter comme membre, et ses "
        "places aux prochaines rencontres sont libérées.",
        class_name="switch",
    )
    return rx.el.fieldset(
        rx.el.legend("Présence sur le site"),
        switch,
        rx.cond(_entry.text != "", rx.el.p(_entry.text, class_name="record-notice"), rx.fragment()),
        _boxes(shown),
        rx.el.p("Les membres connectés voient ce qui est public, et ce qui est coché ici\u00a0:", class_name="muted"),
        _boxes(to_members),
        rx.cond(_entry.asks_consent, checkbox(HAS_CONSENT, "has_consent", hint=CONSENT_HINT), rx.fragment()),
        class_name="record-group",
    )


def _boxes(choices: tuple[tuple[str, str, Any], ...]) -> rx.Component:
    return rx.el.div(
        *[checkbox(label, name, default_checked=checked, error=_errors[name]) for label, name, checked in choices],
        class_name="record-boxes",
    )


def _line(label: str, name: str, **props: Any) -> rx.Component:
    return field(label, name, default_value=_form[name], error=_errors[name], auto_complete="off", **props)
