"""The parts of a company's page."""

from typing import Any

import reflex as rx

from clubapp.pages.public.company.state import CompanyPageState
from clubapp.ui import skeleton_lines
from clubapp.ui.directory.company_page import company_view
from clubapp.ui.directory.member_cards import back_link

_COMPANY: Any = CompanyPageState.company


def company() -> rx.Component:
    """What it does, who works there, how to reach it."""
    return company_view(_COMPANY, above=[back_link()])


def loading() -> rx.Component:
    """The placeholder while the page is read."""
    return rx.el.div(back_link(), skeleton_lines(6), class_name="person-page")
