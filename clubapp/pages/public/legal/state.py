"""What the legal pages say of this club."""

from typing import ClassVar

import reflex as rx

from clubapp.services.privacy import legal_pages
from clubapp.services.privacy.legal_pages import LegalPage
from clubapp.web.security.guard import Access


class LegalState(rx.State):
    """Both pages; empty while the front end is compiled: nothing of one club is baked in."""

    ACCESS: ClassVar[Access] = Access.EVERYONE

    notice: LegalPage = LegalPage()
    privacy: LegalPage = LegalPage()

    @rx.event
    def load(self) -> None:
        """Read the settings and the rules."""
        self.notice, self.privacy = legal_pages.build_legal_notice(), legal_pages.build_privacy_page()
