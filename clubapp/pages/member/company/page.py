"""/member/company: 'Mon entreprise' (specification, sections 2 and 7)."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.member.company.preview_state import CompanyPreviewState
from clubapp.pages.member.company.state import CHANGED_MEANWHILE, OwnCompanyState
from clubapp.services.own_company import NO_COMPANY
from clubapp.ui import button, empty_state, field, form_actions, form_row, link_button, panel, skeleton_lines, text_area
from clubapp.ui.company_view import company_view
from clubapp.ui.dialog import dialog
from clubapp.ui.image_field import image_field
from clubapp.ui.layouts import member_layout
from clubapp.ui.vendor.entries_button import entries_button
from clubapp.ui.vendor.kept_form import kept_form
from clubapp.web.page import Page

TITLE = "Mon entreprise"
PANEL = "La fiche de l'entreprise"
KEPT = (
    "Votre saisie est conservée. Ce qui a été enregistré entre-temps est indiqué sous chaque champ qui diffère ; "
    "enregistrez à nouveau pour garder votre version."
)
READ_ONLY = "Contactez un admin pour modifier"
LISTED = "Séparez-les par des virgules."


def content() -> rx.Component:
    """The screen."""
    none = empty_state(NO_COMPANY, "Un administrateur du club peut rattacher votre fiche à votre entreprise.")
    known = rx.cond(OwnCompanyState.company.id != "", _form_panel(), none)
    waiting = panel(PANEL, skeleton_lines(8))
    return member_layout(rx.cond(OwnCompanyState.is_loaded, known, waiting), _preview(), title=TITLE)


def _preview() -> rx.Component:
    return dialog(
        "Aperçu de la page publique",
        rx.el.div(company_view(CompanyPreviewState.page, heading=rx.el.h2), class_name="profile-preview"),
        open=CompanyPreviewState.is_open,
        on_close=CompanyPreviewState.close,
        wide=True,
        backdrop_closes=True,
        description="Rien n'est encore enregistré.",
    )


def _form_panel() -> rx.Component:
    own, form = OwnCompanyState.company, OwnCompanyState.company.form
    return panel(
        PANEL,
        kept_form(
            rx.el.input(type="hidden", name="seen", value=form.seen, read_only=True),
            _conflict(),
            image_field(
                "Logo",
                "logo_url",
                "logos",
                value=form.logo_url,
                fallback=own.initials,
                alt=own.name,
                error=OwnCompanyState.errors.logo_url,
            ),
            _theirs("logo_url"),
            *_fields(),
            form_actions(
                link_button("Voir la page publique", own.public_href, variant="quiet"),
                entries_button("Aperçu", on_entries=CompanyPreviewState.show, class_name="button button-secondary"),
                button("Enregistrer", type="submit", busy=OwnCompanyState.is_saving, busy_label="Enregistrement…"),
            ),
            name=f"mon-entreprise:{own.id}",
            on_submit=OwnCompanyState.save,
            on_restore=OwnCompanyState.restore,
            busy=OwnCompanyState.is_saving,
            attempt=OwnCompanyState.attempt,
            saved=OwnCompanyState.saved,
            key=own.id,
            class_name="form",
        ),
    )


def _fields() -> list[rx.Component]:
    own = OwnCompanyState.company
    return [
        form_row(
            field("Nom de l'entreprise", "name", value=own.name, read_only=True, hint=READ_ONLY),
            field("Domaine d'activité", "activity_domain", value=own.domain, read_only=True, hint=READ_ONLY),
        ),
        form_row(_line("Email", "email", "email"), _line("Téléphone", "phone", "tel")),
        form_row(_line("Site web", "website", "url"), _line("Adresse", "address")),
        form_row(_line("Code postal", "postal_code", input_mode="numeric"), _line("Ville", "city")),
        _area("Description", "description", 6),
        _area("Services proposés", "services", 2, hint=LISTED),
        _area("Certifications", "certifications", 2, hint=LISTED),
    ]


def _line(label: str, name: str, type: Any = "text", **props: Any) -> rx.Component:
    control = field(
        label,
        name,
        type,
        default_value=getattr(OwnCompanyState.company.form, name),
        error=getattr(OwnCompanyState.errors, name),
        **props,
    )
    return rx.el.div(control, _theirs(name))


def _area(label: str, name: str, rows: int, **props: Any) -> rx.Component:
    control = text_area(
        label,
        name,
        rows,
        default_value=getattr(OwnCompanyState.company.form, name),
        error=getattr(OwnCompanyState.errors, name),
        **props,
    )
    return rx.el.div(control, _theirs(name))


def _theirs(name: str) -> rx.Component:
    text = getattr(OwnCompanyState.theirs, name)
    told = rx.el.p("Enregistré entre-temps : ", rx.el.q(text), class_name="field-theirs")
    return rx.cond(text != "", told, rx.fragment())


def _conflict() -> rx.Component:
    told = rx.el.div(
        rx.el.p(CHANGED_MEANWHILE, class_name="banner-title"),
        rx.el.p(OwnCompanyState.conflict, " ", KEPT, class_name="banner-text"),
        role="alert",
        tab_index=-1,
        data_form_failure="true",
        class_name="banner banner-amber",
    )
    return rx.cond(OwnCompanyState.conflict != "", told, rx.fragment())


PAGES = (Page(route=routes.MEMBER_COMPANY, title=TITLE, content=content, on_load=[OwnCompanyState.load]),)
