"""The club's identity, read from the settings when a page is served: another club is another environment."""

import re
from typing import ClassVar

import reflex as rx

from clubapp.settings import settings
from clubapp.text import phone_numbers
from clubapp.web.security.guard import Access

_FRENCH_PHONE = re.compile(r"\+33(\d)(\d\d)(\d\d)(\d\d)(\d\d)")


def readable_phone(number: str) -> str:
    """A French number as it is read aloud, in pairs; any other as it was written."""
    match = _FRENCH_PHONE.fullmatch(re.sub(r"[^\d+]", "", number))
    return "\u00a0".join((f"0{match[1]}", *match.groups()[1:])) if match else number


class ClubState(rx.State):
    """Whose site this is. Empty while the front end is compiled, so that nothing of one club is baked in."""

    ACCESS: ClassVar[Access] = Access.EVERYONE

    @rx.var(initial_value="", auto_deps=False)
    def name(self) -> str:
        """The club's name."""
        return settings().name

    @rx.var(initial_value="", auto_deps=False)
    def region(self) -> str:
        """Where its members work."""
        return settings().region

    @rx.var(initial_value="", auto_deps=False)
    def contact_email(self) -> str:
        """The address visitors write to."""
        return settings().contact_email

    @rx.var(initial_value="", auto_deps=False)
    def contact_phone(self) -> str:
        """The number visitors call, as it is read aloud."""
        return readable_phone(settings().contact_phone)

    @rx.var(initial_value="", auto_deps=False)
    def contact_phone_href(self) -> str:
        """The link that calls it."""
        return phone_numbers.dialled(settings().contact_phone)

    @rx.var(initial_value="", auto_deps=False)
    def linkedin_url(self) -> str:
        """The club's page on a professional network."""
        return settings().linkedin_url

    @rx.var(initial_value="", auto_deps=False)
    def animator_name(self) -> str:
        """Who leads the club."""
        return settings().animator_name

    @rx.var(initial_value="", auto_deps=False)
    def stat_companies(self) -> str:
        """Member companies, as the landing page says it."""
        return settings().stat_companies

    @rx.var(initial_value="", auto_deps=False)
    def stat_events(self) -> str:
        """Events a year, as the landing page says it."""
        return settings().stat_events

    @rx.var(initial_value="", auto_deps=False)
    def stat_expertise(self) -> str:
        """Years of expertise, as the landing page says it."""
        return settings().stat_expertise
