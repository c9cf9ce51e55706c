"""The member form: what it opens with, and what saving it answers."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any, ClassVar

import reflex as rx

from clubapp.pages.admin.members.competition_state import decisions
from clubapp.pages.admin.members.state import MembersState
from clubapp.refusals import Refusal
from clubapp.services import competition, members
from clubapp.services.differences import Difference, Stale
from clubapp.services.event_form import InvalidForm
from clubapp.services.member_form import FLAGS, KEPT_COMPANY, LABELS, MemberForm
from clubapp.services.typed import NOTHING
from clubapp.ui.differences import kept_theirs
from clubapp.ui.vendor.kept_form import text_of, texts_of
from clubapp.web.feedback import toast_error, toast_success
from clubapp.web.guard import Access
from clubapp.web.session import actor
from clubapp.web.work import read, write

CREATED = "Membre créé avec succès !"
UPDATED = "Membre mis à jour avec succès !"
_TEXTS = ("id", "seen", *(name for name in LABELS if name not in FLAGS))
_NO_ERRORS = dict.fromkeys(LABELS, "")


class MemberFormState(rx.State):
    """One form, for a new member or an existing one. What is typed stays in the browser until it is saved.

    `choices` are the companies; `rivals` the fields that someone else changed meanwhile, `_theirs` what they hold.
    """

    ACCESS: ClassVar[Access] = Access.ADMIN

    is_open: bool = False
    form: MemberForm = MemberForm()
    opening: int = 0
    choices: list[dict[str, str]] = []
    errors: dict[str, str] = _NO_ERRORS
    rivals: list[Difference] = []
    told: str = ""
    is_saving: bool = False
    attempt: int = 0
    _theirs: dict[str, Any] = {}

    @rx.event
    async def toggle_new(self) -> None:
        """An empty form; or none, when that is what is shown."""
        if self.is_open and not self.form.id:
            self.is_open = False
            return
        await self._show(MemberForm())

    @rx.event
    async def edit(self, member_id: str) -> None:
        """The form of a member."""
        await self._show(await read(members.form, actor(), str(member_id)))

    @rx.event
    async def close(self) -> Any:
        """Leave without saving: the list is read again."""
        self.is_open = False
        return MembersState.load

    @rx.event
    def drop(self, member_id: str) -> None:
        """A member is being deleted: their form has nothing left to be about."""
        if self.form.id == member_id:
            self.is_open = False

    @rx.event
    def begin(self) -> None:
        """The screen appears: without a form. (Asked for by the screen itself: before anyone can press a button.)"""
        self.is_open = False

    @rx.event
    def restore(self, entries: dict[str, Any]) -> None:
        """A draft is taken up again: it was begun on the version that it names."""
        self.form = replace(self.form, seen=text_of(entries, "seen")[:100])

    @rx.event
    async def save(self, entries: dict[str, Any]) -> AsyncIterator[Any]:
        """Save what was typed; when it is refused, say why and keep it."""
        person, typed = actor(), self._typed(entries)
        self.is_saving = True
        yield
        try:
            await write(competition.save_member, person, typed, decisions(entries))
        except Refusal as refusal:
            await self._refuse(refusal, typed)
        except Exception:
            self.attempt += 1
            raise
        else:
            self.is_open = False
            await toast_success(self, UPDATED if typed.id else CREATED)
            yield MembersState.load
        finally:
            self.is_saving = False

    async def _show(self, form: MemberForm) -> None:
        found = await read(members.companies, actor())
        self.choices = [
            _choice(NOTHING, "Choisir une entreprise"),
            *([_choice(KEPT_COMPANY, f"{form.company} (hors liste)")] if form.company_id == KEPT_COMPANY else []),
            *(_choice(each.id, each.name, each.domain) for each in found),
        ]
        self.form, self.errors, self.rivals, self.told, self._theirs = form, _NO_ERRORS, [], "", {}
        self.is_saving, self.attempt = False, 0
        self.opening += 1
        self.is_open = True

    def _typed(self, entries: dict[str, Any]) -> MemberForm:
        values: dict[str, Any] = {name: text_of(entries, name) for name in _TEXTS}
        values |= {name: bool(texts_of(entries, name)) for name in FLAGS}
        chosen = kept_theirs(entries, self.rivals)
        return MemberForm(**values | {name: self._theirs[name] for name in chosen if name in self._theirs})

    async def _refuse(self, refusal: Refusal, typed: MemberForm) -> None:
        wrong = refusal.errors if isinstance(refusal, InvalidForm) else {}
        self.errors = {name: wrong.get(name, "") for name in LABELS}
        if isinstance(refusal, Stale):
            self.rivals, self.told, self._theirs = refusal.with_choices(self.form, typed), refusal.told, refusal.theirs
            self.form = replace(self.form, seen=refusal.seen)
        else:  # a stale version is told where it is settled
            await toast_error(self, "Erreur", refusal.text)
        self.attempt += 1


def _choice(value: str, label: str, copied: str = "") -> dict[str, str]:
    return {"value": value, "label": label, "copied": copied}
