"""The parts of a member's page."""

from typing import Any

import reflex as rx

from clubapp.pages.public.profile.state import MemberPageState
from clubapp.ui import skeleton_lines
from clubapp.ui.directory.member_cards import back_link, contact_card
from clubapp.ui.directory.member_page import member_view

_PROFILE: Any = MemberPageState.profile


def profile() -> rx.Component:
    """Who it is, what they do, how to reach them."""
    return member_view(_PROFILE, above=[back_link()], contact_extras=[contact_card(_PROFILE.card_href)])


def loading() -> rx.Component:
    """The placeholder while the page is read."""
    return rx.el.div(back_link(), skeleton_lines(6), class_name="person-page")
