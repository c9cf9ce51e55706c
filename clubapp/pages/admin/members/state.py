"""The members on the administrators' screen: the filtered list, and the form."""

from collections.abc import AsyncIterator
from typing import Any, ClassVar

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.members.competition_state import CompetitionState, read_decisions
from clubapp.pages.admin.members.person_state import MemberRecordState
from clubapp.refusals import Refusal
from clubapp.services.attendance.presence import Presence, read_presence
from clubapp.services.base.actors import Actor
from clubapp.services.base.form_fields import NOTHING
from clubapp.services.members import competition, editing
from clubapp.services.members import listing as member_listing
from clubapp.services.members.admin_form import FLAGS, KEPT_COMPANY, LABELS, NEW_COMPANY, MemberForm
from clubapp.services.members.competition import UndecidedPair
from clubapp.services.members.listing import MemberFilter, MemberList, Neighbours
from clubapp.services.privacy import rights_requests
from clubapp.services.privacy.rights_requests import OpenRequest
from clubapp.services.privacy.welcome_mailing import EntryNotice, read_entry_notice
from clubapp.services.seating.never_met import Strangers, list_never_met
from clubapp.ui.react.forms.draft_form import text_of, texts_of
from clubapp.ui.records.states import RecordForm, RecordList
from clubapp.web.screens.toasts import toast_error, toast_success
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, write
from clubapp.web.states.loading import Loading

_TEXTS = ("id", "seen", "company", *(name for name in LABELS if name not in FLAGS))
_NO_ERRORS = dict.fromkeys(("company", *LABELS), "")


class MembersState(RecordList, rx.State):
    """The members that match the filter, and what waits for a decision: pairs in competition, requests about data.

    `neighbours` are those of the member whose page is open, in the list as it was left.
    """

    ACCESS: ClassVar[Access] = Access.ADMIN
    HANDLER_ACCESS: ClassVar[dict[str, Access]] = {"delete": Access.ADMIN_FRESH}
    DELETED: ClassVar[str] = "Membre supprimé avec succès !"

    listing: MemberList = MemberList()
    wanted: MemberFilter = MemberFilter()
    undecided: list[UndecidedPair] = []
    requests: list[OpenRequest] = []
    doomed_is_active: bool = False
    neighbours: Neighbours = Neighbours()

    async def _read(self) -> None:
        if not self._open_member():
            self._follow(member_listing.parse_filter(dict(self.router.url.query_parameters)))
        self.listing = await read(member_listing.list_members, actor(), self.wanted)
        self.undecided = list(await read(competition.list_undecided, actor()))
        self.requests = list(await read(rights_requests.list_open, actor()))

    @rx.event
    async def locate(self) -> None:
        """Find the neighbours of the member whose page is open."""
        self.neighbours = await read(member_listing.read_neighbours, actor(), self._open_member(), self.wanted)

    @rx.event
    def offer_inactive(self, is_active: bool) -> None:
        """Offer to make the member inactive before deleting them, while they are active."""
        self.doomed_is_active = bool(is_active)

    @rx.event
    async def deactivate(self) -> AsyncIterator[Any]:
        """Make the member `doomed` inactive, instead of deleting them."""
        if not self.doomed or self.is_busy:
            return
        person, self.is_busy = actor(), True
        yield
        try:
            await write(editing.deactivate, person, self.doomed)
        except Refusal as refusal:
            await toast_error(self, "Erreur", refusal.text)
        else:
            await toast_success(self, f"La fiche est maintenant inactive\u00a0: {self.doomed_name}.")
        finally:
            self.is_busy, self.doomed = False, ""
        await self.load()

    @rx.event
    async def activate(self, member_id: str) -> None:
        """Make an inactive member active again."""
        try:
            await write(editing.activate, actor(), str(member_id))
        except Refusal as refusal:
            await toast_error(self, "Erreur", refusal.text)
        else:
            await toast_success(self, "Le membre est de nouveau actif.")
        await self.load()

    async def _delete(self, person: Actor, record_id: str) -> None:
        await write(editing.delete, person, record_id)

    def _open_member(self) -> str:
        return routes.record_in(self.router.url.path, routes.ADMIN_MEMBERS)


class MemberFormState(RecordForm, rx.State):
    """The form of a member. `choices` are the companies for `CopyingSelect`, `presence` is how present they are,
    `never_met` whom they have not met, `entry` what saving means for the person. It begins with the question about
    competition when it `is_to_decide`.
    """

    ACCESS: ClassVar[Access] = Access.ADMIN
    CREATED: ClassVar[str] = "Membre créé avec succès !"
    UPDATED: ClassVar[str] = "Membre mis à jour avec succès !"
    LIST: ClassVar[type[RecordList]] = MembersState
    PAGE: ClassVar[type[Loading]] = MemberRecordState
    AT: ClassVar[str] = routes.ADMIN_MEMBERS
    NO_ERRORS: ClassVar[dict[str, str]] = _NO_ERRORS

    form: MemberForm = MemberForm()
    choices: list[dict[str, str]] = []
    presence: Presence = Presence()
    never_met: tuple[Strangers, ...] = ()
    entry: EntryNotice = EntryNotice()
    is_to_decide: bool = False
    errors: dict[str, str] = _NO_ERRORS

    @rx.event
    async def decide(self, record_id: str) -> None:
        """Open the form of a member at the question about competition."""
        self._show(await self._form(str(record_id)))
        self.is_to_decide = True

    async def _form(self, record_id: str) -> MemberForm:
        self.is_to_decide = False
        (await self.get_state(CompetitionState)).reset()
        form = await read(editing.open_form, actor(), record_id) if record_id else MemberForm()
        self.presence = await read(read_presence, actor(), record_id) if record_id else Presence()
        self.never_met = await read(list_never_met, actor(), record_id) if record_id else ()
        self.entry = await read(read_entry_notice, actor(), record_id)
        companies = await read(editing.list_company_choices, actor())
        self.choices = [
            _choice(NOTHING, "Choisir une entreprise"),
            *([_choice(KEPT_COMPANY, f"{form.company} (hors liste)")] if form.company_id == KEPT_COMPANY else []),
            _choice(NEW_COMPANY, "Nouvelle entreprise…"),
            *(_choice(each.id, each.name, each.domain) for each in companies),
        ]
        return form

    def _typed(self, entries: dict[str, Any]) -> MemberForm:
        values: dict[str, Any] = {name: text_of(entries, name) for name in _TEXTS}
        values |= {name: bool(texts_of(entries, name)) for name in (*FLAGS, "has_consent")}
        return MemberForm(**values)

    async def _save(self, person: Actor, typed: MemberForm, entries: dict[str, Any], /) -> None:
        await write(competition.save_member, person, typed, read_decisions(entries))


def _choice(value: str, label: str, copied: str = "") -> dict[str, str]:
    return {"value": value, "label": label, "copied": copied}
