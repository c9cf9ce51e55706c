"""/admin/companies/{id}: a company to read: how to reach it, what the public sees, its people, what happened."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.companies.company_page_state import CompanyRecordState
from clubapp.pages.admin.companies.company_people_part import hosted_panel, people_panel
from clubapp.pages.admin.companies.form_part import company_form
from clubapp.pages.admin.companies.state import CompanyFormState
from clubapp.ui import button, empty_state, is_in_address, link_button, page_link, skeleton_lines, takeover, when_there
from clubapp.ui.frame.layouts import admin_layout, screen_main
from clubapp.ui.kit.icon import icon
from clubapp.ui.kit.image import responsive_image
from clubapp.ui.kit.text import show_if
from clubapp.ui.react.lists.filter_memory import filtered_link
from clubapp.ui.records.reading import fact, reading_target, seen_list, timeline
from clubapp.web.screens.page import Page

TITLE = "Fiche d’une entreprise"
_page: Any = CompanyRecordState.page
_is_there = is_in_address(_page.id)


def content() -> rx.Component:
    """The screen."""
    back = link_button("Retour aux entreprises", routes.ADMIN_COMPANIES)
    place = rx.cond(_page.city != "", rx.cond(_page.domain != "", f"{_page.domain}, {_page.city}", _page.city), "")
    return admin_layout(
        takeover(True),
        when_there(CompanyRecordState, _is_there, _company(), back),
        title=rx.cond(_is_there, _page.name, TITLE),
        hint=rx.cond(_is_there, rx.cond(place != "", place, _page.domain), ""),
        back=_back_link(),
        actions=[rx.cond(_is_there, _edit_link(), rx.fragment())],
        on_arrive=[CompanyRecordState.begin],
    )


def first_paint() -> rx.Component:
    """The placeholder; the document takes the layout around it from another built screen."""
    return screen_main(skeleton_lines(8), title=TITLE, hint=rx.Var.create(""), back=_back_link())


def _back_link() -> rx.Component:
    return filtered_link("Retour aux entreprises", routes.ADMIN_COMPANIES)


def _edit_link() -> rx.Component:
    """The form has an address of its own: the back button leaves it."""
    words = rx.fragment(icon("pencil", 18), "Modifier")
    return page_link(words, to=routes.edit_company(_page.id), class_name="button button-secondary")


def _company() -> rx.Component:
    return rx.el.div(
        company_form(),
        rx.el.div(
            rx.el.div(_contact(), _public(), class_name="reading-first"),
            rx.el.div(
                show_if(_page.description != "", _presentation()),
                people_panel(),
                show_if(_page.hosted.length() > 0, hosted_panel()),
                _history(),
                class_name="reading-rest",
            ),
            class_name="reading-columns",
        ),
        class_name="reading",
    )


def _contact() -> rx.Component:
    return rx.el.section(
        rx.el.div(responsive_image(_page.logo, "", class_name="reading-logo"), class_name="reading-top"),
        rx.el.div(
            reading_target("phone", "Appeler", _page.phone, _page.phone_href, "Pas de téléphone"),
            reading_target(
                "mail", "Écrire à", _page.email, _page.email_href, "Pas d’adresse e-mail", parts=_page.email_parts
            ),
            reading_target("arrival", "Ouvrir", _page.site, _page.site_href, "Pas de site web"),
            class_name="reading-targets",
        ),
        rx.el.dl(
            fact("Domaine", _page.domain, _page.domain != ""),
            fact("Adresse", _page.address, _page.address != ""),
            fact("Effectif", _page.employees, _page.employees != ""),
            fact("Création", _page.founded, _page.founded != ""),
            fact("Services", _page.services.join(", "), _page.services.length() > 0),
            fact("Certifiée", _page.certifications.join(", "), _page.certifications.length() > 0),
            class_name="reading-facts",
        ),
        aria_label="Coordonnées",
        class_name="card",
    )


def _public() -> rx.Component:
    return rx.el.section(
        rx.el.div(
            rx.el.h2("Ce que voit le public", class_name="reading-title"),
            page_link("Voir sa page", to=_page.public_href, class_name="reading-link"),
            class_name="reading-head",
        ),
        seen_list(_page.visible),
        class_name="card",
    )


def _presentation() -> rx.Component:
    return rx.el.section(
        rx.el.div(rx.el.h2("Présentation", class_name="reading-title"), class_name="reading-head"),
        rx.el.p(_page.description, class_name="reading-description"),
        class_name="card",
    )


def _history() -> rx.Component:
    nothing = empty_state("Rien pour l’instant", "Les changements de la fiche paraîtront ici.")
    return rx.el.section(
        rx.el.div(rx.el.h2("Historique", class_name="reading-title"), class_name="reading-head"),
        rx.cond(_page.history, timeline(_page.history, lambda _line: icon("pencil", 18)), nothing),
        rx.el.div(
            show_if(_page.has_more, button("Plus ancien", variant="secondary", on_click=CompanyRecordState.show_older)),
            page_link("Journal des actes", to=routes.acts_of_company(_page.id), class_name="reading-link"),
            class_name="reading-older",
        ),
        class_name="card",
    )


PAGES = [
    Page(
        route=routes.ADMIN_COMPANY,
        title=TITLE,
        content=content,
        on_load=[CompanyRecordState.load, CompanyFormState.follow_address],
        first_paint=first_paint,
    )
]
