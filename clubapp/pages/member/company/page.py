"""/member/company: 'Mon entreprise'."""

import reflex as rx

from clubapp import routes
from clubapp.pages.member.company.state import OwnCompanyState
from clubapp.ui import empty_state, panel, skeleton_lines
from clubapp.ui.facts import facts
from clubapp.ui.layouts import member_layout
from clubapp.web.page import Page

TITLE = "Mon entreprise"
NO_COMPANY = "Aucune entreprise associée"


def content() -> rx.Component:
    """The company as the club knows it."""
    mine = OwnCompanyState.company
    shown = facts(
        ("Nom", mine.name),
        ("Domaine d'activité", mine.activity_domain),
        ("E-mail", mine.email),
        ("Téléphone", mine.phone),
        ("Site web", mine.website),
        ("Adresse", mine.address),
        ("Ville", mine.city),
        ("Description", mine.description),
        ("Services proposés", mine.services),
        ("Certifications", mine.certifications),
    )
    none = empty_state(NO_COMPANY, "Un administrateur du club peut rattacher votre fiche à votre entreprise.")
    known = rx.cond(OwnCompanyState.has_company, panel("La fiche de votre entreprise", shown), none)
    waiting = panel("La fiche de votre entreprise", skeleton_lines(6))
    return member_layout(rx.cond(OwnCompanyState.is_loaded, known, waiting), title=TITLE)


PAGES = (Page(route=routes.MEMBER_COMPANY, title=TITLE, content=content, on_load=[OwnCompanyState.load]),)
