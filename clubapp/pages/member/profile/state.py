"""The form of the member's own profile."""

from dataclasses import replace
from typing import Any, ClassVar

import reflex as rx

from clubapp.services.access import email_change
from clubapp.services.base.actors import Actor
from clubapp.services.directory.for_visitors import MemberPage
from clubapp.services.members import own_profile
from clubapp.services.members.own_profile import LABELS, OwnProfile, ProfileForm
from clubapp.services.privacy.visibility import CHOICES, WORDINGS
from clubapp.ui.react.forms.draft_form import text_of
from clubapp.ui.records.states import OwnForm
from clubapp.web.screens.toasts import toast_success
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, write

SITE, DIRECTORY = "le site public", "l’annuaire des membres"
_NO_ERRORS = dict.fromkeys(LABELS, "")


class ProfileState(OwnForm, rx.State):
    """The form, the visibility switches and the preview of 'Mon profil'."""

    ACCESS: ClassVar[Access] = Access.MEMBER
    UPDATED: ClassVar[str] = "Profil mis à jour avec succès !"
    NO_ERRORS: ClassVar[dict[str, str]] = _NO_ERRORS

    own: OwnProfile = OwnProfile()
    form: ProfileForm = ProfileForm()
    errors: dict[str, str] = _NO_ERRORS
    page: MemberPage = MemberPage()

    @rx.event
    async def choose(self, choice: str, shown: bool) -> None:
        """Show or hide something, to everyone or to members; takes effect at once. `choice` is one of `WORDINGS`."""
        seen = await write(own_profile.set_visibility, actor(), choice, shown, self.form.seen)
        self.form = replace(self.form, seen=seen)
        await self._read_choices(SITE if choice in CHOICES else DIRECTORY)

    @rx.event
    async def decide(self, shown: bool) -> None:
        """Say yes or no to showing e-mail, phone and photograph, where the club asks before."""
        seen = await write(own_profile.decide_contacts, actor(), shown, self.form.seen)
        self.form = replace(self.form, seen=seen)
        await self._read_choices(SITE)

    @rx.event
    async def resend(self) -> None:
        """Send the link to the new address again."""
        await write(email_change.resend_link, actor())
        await self._read_pending()
        await toast_success(self, "Un nouveau lien vient de partir. Le précédent n’est plus valable.")

    @rx.event
    async def keep_address(self) -> None:
        """Cancel the change of address."""
        await write(email_change.cancel_change, actor())
        await self._read_pending()

    async def _open(self, person: Actor) -> None:
        self.own = await read(own_profile.read_own_profile, person)
        self.form = self.own.form

    def _success(self) -> tuple[str, str]:
        """Repeats the pending address, because the button stands far below its field."""
        email = self.own.pending.email
        if not email:
            return super()._success()
        return f"Ouvrez le lien envoyé à {email} pour que cette adresse compte.", self.UPDATED

    async def _read_choices(self, where: str) -> None:
        now = await read(own_profile.read_own_profile, actor())
        shown = {choice: getattr(now, choice) for choice in WORDINGS}
        self.own = replace(self.own, **shown, is_awaited=now.is_awaited, chosen=now.chosen)
        await toast_success(self, f"C’est fait\u00a0: {where} en tient compte dès maintenant.")

    async def _read_pending(self) -> None:
        self.own = replace(self.own, pending=(await read(own_profile.read_own_profile, actor())).pending)

    def _typed(self, entries: dict[str, Any]) -> ProfileForm:
        return ProfileForm(**{name: text_of(entries, name) for name in ("seen", *LABELS)})

    async def _save(self, person: Actor, typed: ProfileForm) -> None:
        await write(own_profile.save, person, typed)

    async def _preview(self, typed: ProfileForm) -> None:
        self.page = await read(own_profile.preview, actor(), typed)
