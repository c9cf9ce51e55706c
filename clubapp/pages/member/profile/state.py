"""The member's own profile."""

from typing import ClassVar

import reflex as rx

from clubapp.services import membership
from clubapp.services.membership import OwnProfile
from clubapp.web.guard import Access
from clubapp.web.session import actor
from clubapp.web.work import read


class ProfileState(rx.State):
    """What 'Mon profil' shows."""

    ACCESS: ClassVar[Access] = Access.MEMBER

    profile: OwnProfile = OwnProfile()
    is_loaded: bool = False

    @rx.event
    async def load(self) -> None:
        """Read the profile."""
        self.profile = await read(membership.profile, actor())
        self.is_loaded = True
