"""The member's own profile: what it opens with, and what saving it answers."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any, ClassVar

import reflex as rx

from clubapp.pages.member.profile.typed import NO_TEXTS, FieldTexts, errors_of, profile_form, theirs_of
from clubapp.refusals import Refusal
from clubapp.services import email_changes, profile
from clubapp.services.differences import Stale
from clubapp.services.event_form import InvalidForm
from clubapp.services.profile import OwnProfile
from clubapp.ui.vendor.kept_form import text_of
from clubapp.web.feedback import toast_error, toast_success
from clubapp.web.guard import Access
from clubapp.web.session import actor
from clubapp.web.work import read, write

UPDATED = "Profil mis à jour avec succès !"
WRONG_FIELDS = "Certains champs sont à corriger."
CHANGED_MEANWHILE = "Cette fiche a été modifiée pendant que vous la remplissiez."


class ProfileState(rx.State):
    """What 'Mon profil' shows. What is typed stays in the browser until it is saved."""

    ACCESS: ClassVar[Access] = Access.MEMBER

    own: OwnProfile = OwnProfile()
    errors: FieldTexts = NO_TEXTS
    theirs: FieldTexts = NO_TEXTS
    conflict: str = ""
    is_loaded: bool = False
    is_saving: bool = False
    attempt: int = 0
    saved: int = 0

    @rx.event
    async def load(self) -> None:
        """Read the profile."""
        self.errors, self.theirs, self.conflict = NO_TEXTS, NO_TEXTS, ""
        self.is_saving = False
        await self._read()

    @rx.event
    async def save(self, entries: dict[str, Any]) -> AsyncIterator[None]:
        """Write what was typed; when it is refused, say why and keep it."""
        person = actor()
        self.is_saving = True
        yield
        try:
            await write(profile.save, person, profile_form(entries))
        except Refusal as refusal:
            await self._refuse(refusal)
        else:
            self.errors, self.theirs, self.conflict = NO_TEXTS, NO_TEXTS, ""
            await self._read()
            self.saved += 1
            await toast_success(self, UPDATED)
        finally:
            self.is_saving = False

    @rx.event
    def restore(self, entries: dict[str, Any]) -> None:
        """A text found again was typed over the version it was begun with."""
        form = replace(self.own.form, seen=text_of(entries, "seen"), image_url=text_of(entries, "image_url"))
        self.own = replace(self.own, form=form)

    @rx.event
    async def choose(self, choice: str, shown: bool) -> None:
        """Show or hide something on the public site, at once."""
        seen = await write(profile.choose, actor(), choice, shown, self.own.form.seen)
        self.own = replace(self.own, form=replace(self.own.form, seen=seen), **{choice: shown})
        await toast_success(self, "C'est fait : le site public en tient compte dès maintenant.")

    @rx.event
    async def resend(self) -> None:
        """Send the link to the new address again."""
        await write(email_changes.resend, actor())
        await self._read_pending()
        await toast_success(self, "Un nouveau lien vient de partir. Le précédent n'est plus valable.")

    @rx.event
    async def keep_address(self) -> None:
        """Give up the new address."""
        await write(email_changes.cancel, actor())
        await self._read_pending()

    async def _read(self) -> None:
        self.own = await read(profile.own, actor())
        self.is_loaded = True

    async def _read_pending(self) -> None:
        self.own = replace(self.own, pending=(await read(profile.own, actor())).pending)

    async def _refuse(self, refusal: Refusal) -> None:
        self.errors, self.theirs, self.conflict = NO_TEXTS, NO_TEXTS, ""
        self.attempt += 1
        if isinstance(refusal, InvalidForm):
            self.errors = errors_of(refusal.errors)
            await toast_error(self, "Erreur", WRONG_FIELDS)
            return
        if isinstance(refusal, Stale):
            self.conflict, self.theirs = refusal.told, theirs_of(refusal.theirs)
            self.own = replace(self.own, form=replace(self.own.form, seen=refusal.seen))
            await toast_error(self, "Erreur", CHANGED_MEANWHILE)
            return
        await toast_error(self, "Erreur", refusal.text)
