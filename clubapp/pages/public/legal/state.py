"""The texts of the two legal pages."""

from typing import ClassVar

import reflex as rx

from clubapp.services.privacy import legal_pages
from clubapp.services.privacy.legal_pages import LegalPage
from clubapp.web.security.guard import Access


class LegalState(rx.State):
    """Both pages; empty while the front end is compiled: a build holds nothing of one club."""

    ACCESS: ClassVar[Access] = Access.EVERYONE

    notice: LegalPage = LegalPage()
    privacy: LegalPage = LegalPage()

    @rx.event
    def load(self) -> None:
        """Build both pages from the settings."""
        self.notice, self.privacy = legal_pages.build_legal_notice(), legal_pages.build_privacy_page()
