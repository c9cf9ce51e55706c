"""/member: 'Mon profil'."""

import reflex as rx

from clubapp import routes
from clubapp.pages.member.profile.state import ProfileState
from clubapp.ui import panel, skeleton_lines
from clubapp.ui.facts import facts
from clubapp.ui.layouts import member_layout
from clubapp.web.page import Page

TITLE = "Mon profil"


def content() -> rx.Component:
    """The profile as the club knows it."""
    mine = ProfileState.profile
    shown = facts(
        ("Nom complet", mine.name),
        ("Rôle", mine.role),
        ("Entreprise", mine.company),
        ("E-mail", mine.email),
        ("Téléphone", mine.phone),
        ("LinkedIn", mine.linkedin),
        ("Site web", mine.website),
        ("Description", mine.description),
        ("Domaines d'expertise", mine.expertise),
        ("Services proposés", mine.services),
    )
    return member_layout(
        panel("Votre fiche", rx.cond(ProfileState.is_loaded, shown, skeleton_lines(6))),
        title=TITLE,
        hint="Contactez un admin pour modifier",
    )


PAGES = (Page(route=routes.MEMBER, title=TITLE, content=content, on_load=[ProfileState.load]),)
