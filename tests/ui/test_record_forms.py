"""A form in conflict with other people's changes sends the fields that the browser still holds as they were."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from clubapp.pages.member.company.state import OwnCompanyState
from clubapp.services.base.edit_conflicts import Difference, RecordChanged
from clubapp.services.companies.own_company import OwnCompanyForm

OPENED = OwnCompanyForm(seen="1", city="Arras", phone="1", logo_url="/first.jpg")


class Saved:
    """The record as others save it while the form is open."""

    def __init__(self) -> None:
        self.form = OPENED

    async def save(self, typed: OwnCompanyForm) -> None:
        """Refuse a form of an older version, as the service does."""
        differing = [
            name for name, value in vars(typed).items() if name != "seen" and getattr(self.form, name) != value
        ]
        if typed.seen != self.form.seen and differing:
            theirs = {name: getattr(self.form, name) for name in differing}
            rows = tuple(Difference(name, name, theirs[name], getattr(typed, name)) for name in differing)
            raise RecordChanged(self.form.seen, theirs, rows, "")
        self.form = typed


@pytest.fixture
def saved() -> Saved:
    return Saved()


@pytest.fixture
def state() -> OwnCompanyState:
    # Reflex lets only itself make a state, and types the mark by which it does as no argument.
    state = OwnCompanyState(_reflex_internal_init=True)  # type: ignore[call-arg]
    state.form = OPENED
    return state


def send(state: OwnCompanyState, saved: Saved, **typed: str) -> list[str]:
    """Press "Enregistrer"; the fields that are then asked about."""
    entries: dict[str, Any] = {**vars(OPENED), "seen": state.form.seen, **typed}
    sent = state._typed(entries)
    chosen = state._chosen(sent, entries)

    async def store() -> None:
        try:
            await state._store(chosen, saved.save)
        except RecordChanged as refusal:
            await state._refuse(refusal, sent, chosen)

    state.differences = []
    asyncio.run(store())
    return [row.name for row in state.differences]


def test_what_only_others_changed_stays_through_every_further_conflict(state: OwnCompanyState, saved: Saved) -> None:
    saved.form = replace(OPENED, seen="2", city="Lens", logo_url="/second.jpg", phone="2")
    assert send(state, saved, city="Douai") == ["city"]
    saved.form = replace(saved.form, seen="3", city="Lille", phone="3")
    assert send(state, saved, city="Douai") == ["city"]
    assert send(state, saved, city="Douai") == []
    assert (saved.form.city, saved.form.phone, saved.form.logo_url) == ("Douai", "3", "/second.jpg")


def test_a_version_that_was_chosen_stays_chosen_in_the_next_conflict(state: OwnCompanyState, saved: Saved) -> None:
    saved.form = replace(OPENED, seen="2", city="Lens")
    assert send(state, saved, city="Douai", phone="9") == ["city"]
    saved.form = replace(saved.form, seen="3", phone="3")
    assert send(state, saved, city="Douai", phone="9", keep_city="theirs") == ["phone"]
    assert send(state, saved, city="Douai", phone="9", keep_phone="mine") == []
    assert (saved.form.city, saved.form.phone) == ("Lens", "9")
