"""/member/company: 'Mon entreprise'."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.member.company.state import OwnCompanyState
from clubapp.services.companies.own_company import NO_COMPANY
from clubapp.ui import empty_state, external_link, field, form_row, link_button, panel, skeleton_lines, when_loaded
from clubapp.ui.directory.company_page import company_view
from clubapp.ui.frame.club_identity import ClubState
from clubapp.ui.frame.layouts import member_layout
from clubapp.ui.records.image_field import image_field
from clubapp.ui.records.own_form import LISTED, READ_ONLY, own_area, own_form, own_line, own_preview
from clubapp.web.screens.page import Page

TITLE = "Mon entreprise"
PANEL = "La fiche de l’entreprise"


def content() -> rx.Component:
    """The screen."""
    known = rx.cond(OwnCompanyState.company.id != "", panel(PANEL, _form()), _none())
    waiting = panel(PANEL, skeleton_lines(8))
    page = company_view(OwnCompanyState.page, heading=rx.el.h2)
    preview = own_preview(OwnCompanyState, "Aperçu de la page publique", page)
    return member_layout(
        when_loaded(OwnCompanyState, known, waiting, "La fiche de l’entreprise n’a pas pu être chargée"),
        preview,
        title=TITLE,
        on_arrive=OwnCompanyState.begin,
    )


def _none() -> rx.Component:
    return empty_state(
        NO_COMPANY,
        "Un administrateur du club peut rattacher votre fiche à votre entreprise.",
        external_link("Écrire au club", f"mailto:{ClubState.club.email}", class_name="button button-secondary"),
    )


def _form() -> rx.Component:
    own = OwnCompanyState.company
    return own_form(
        OwnCompanyState,
        image_field(
            "Logo",
            "logo_url",
            "logos",
            value=OwnCompanyState.form.logo_url,
            fallback=own.initials,
            alt=own.name,
            error=OwnCompanyState.errors["logo_url"],
        ),
        *_fields(),
        id=own.id,
        draft="mon-entreprise",
        lists=("services", "certifications"),
        actions=(link_button("Voir la page publique", own.public_href, variant="quiet"),),
    )


def _fields() -> list[rx.Component]:
    own = OwnCompanyState.company
    return [
        form_row(
            field("Nom de l'entreprise", "name", value=own.name, read_only=True, hint=READ_ONLY),
            field("Domaine d'activité", "activity_domain", value=own.domain, read_only=True, hint=READ_ONLY),
        ),
        form_row(_line("E-mail", "email", "email"), _line("Téléphone", "phone", "tel")),
        form_row(_line("Site web", "website", "url"), _line("Adresse", "address")),
        form_row(_line("Code postal", "postal_code", input_mode="numeric"), _line("Ville", "city")),
        own_area(OwnCompanyState, "Description", "description", 6),
        own_area(OwnCompanyState, "Services proposés", "services", 2, hint=LISTED),
        own_area(OwnCompanyState, "Certifications", "certifications", 2, hint=LISTED),
    ]


def _line(label: str, name: str, type: Any = "text", **props: Any) -> rx.Component:
    return own_line(OwnCompanyState, label, name, type, **props)


PAGES = (Page(route=routes.MEMBER_COMPANY, title=TITLE, content=content, on_load=[OwnCompanyState.load]),)
