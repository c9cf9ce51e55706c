"""/member: 'Mon profil'."""

import reflex as rx

from clubapp import routes
from clubapp.pages.member.profile.form_part import preview_dialog, profile_panel
from clubapp.pages.member.profile.state import ProfileState
from clubapp.pages.member.profile.visibility_part import visibility_panels
from clubapp.ui import panel, skeleton_lines, when_loaded
from clubapp.ui.frame.layouts import member_layout
from clubapp.web.screens.page import Page

TITLE = "Mon profil"


def content() -> rx.Component:
    """The screen."""
    shown = rx.el.div(profile_panel(), visibility_panels(), class_name="own-screen")
    waiting = panel("Ma fiche", skeleton_lines(8))
    return member_layout(
        when_loaded(ProfileState, shown, waiting, "Votre fiche n’a pas pu être chargée"),
        preview_dialog(),
        title=TITLE,
        on_arrive=ProfileState.begin,
    )


PAGES = (Page(route=routes.MEMBER, title=TITLE, content=content, on_load=[ProfileState.load]),)
