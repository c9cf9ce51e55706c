"""The public page that the typed profile would make."""

from typing import Any, ClassVar

import reflex as rx

from clubapp.pages.member.profile.state import ProfileState
from clubapp.pages.member.profile.typed import errors_of, profile_form
from clubapp.services import profile
from clubapp.services.directory import MemberProfile
from clubapp.services.event_form import InvalidForm
from clubapp.web.guard import Access
from clubapp.web.session import actor
from clubapp.web.work import read


class PreviewState(rx.State):
    """What 'Aperçu' shows. Nothing is written."""

    ACCESS: ClassVar[Access] = Access.MEMBER

    page: MemberProfile = MemberProfile()
    is_open: bool = False

    @rx.event
    async def show(self, entries: dict[str, Any]) -> None:
        """Draw the page of what is typed, or say what is wrong with it."""
        mine = await self.get_state(ProfileState)
        try:
            self.page = await read(profile.preview, actor(), profile_form(entries))
        except InvalidForm as refusal:
            mine.errors = errors_of(refusal.errors)
            mine.attempt += 1
            return
        self.is_open = True

    @rx.event
    def close(self) -> None:
        """Back to the form."""
        self.is_open = False
