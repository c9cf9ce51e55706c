"""The member whose page is open."""

from typing import Any, ClassVar

import reflex as rx

from clubapp import routes
from clubapp.refusals import Refusal
from clubapp.services.directory import for_visitors
from clubapp.services.directory.for_visitors import MemberPage
from clubapp.web.screens.toasts import log_unexpected
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read


class MemberPageState(rx.State):
    """One member's page; empty until it is read."""

    ACCESS: ClassVar[Access] = Access.EVERYONE

    profile: MemberPage = MemberPage()

    @rx.event
    async def load(self) -> Any:
        """Read the member in the address. If that fails, go back to the directory without a message."""
        member_id = self.router.url.path.rstrip("/").rsplit("/", 1)[-1]
        if member_id != self.profile.id:
            self.profile = MemberPage()
            yield
        try:
            self.profile = await read(for_visitors.read_member_page, member_id)
        except Refusal:
            yield rx.redirect(routes.DIRECTORY, replace=True)
        except Exception as error:  # a visitor is shown the same as for an unknown address
            log_unexpected(error)
            yield rx.redirect(routes.DIRECTORY, replace=True)
