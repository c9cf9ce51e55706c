"""A member writes their own profile, a fixed list of its fields, and nothing of anyone else's (W3, P1)."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from sqlmodel import select

from clubapp.database import reading, transaction
from clubapp.models import Act, Member, OutboxMail
from clubapp.refusals import Forbidden, Invalid
from clubapp.services.base import edit_conflicts
from clubapp.services.base.actors import SYSTEM, VISITOR, Actor
from clubapp.services.base.form_fields import InvalidForm
from clubapp.services.directory import for_visitors
from clubapp.services.images import uploads
from clubapp.services.members import own_profile
from clubapp.services.members.own_profile import OwnProfile, ProfileForm
from tests import images
from tests.factories import add_member

At = Callable[[str], datetime]
GIVEN: dict[str, Any] = {
    "role": "Gérante",
    "company": "Atelier",
    "activity_domain": "Formation & Conseil",
    "phone": "03 20 55 55 01",
    "description": "Je forme.",
    "expertise": ["Vente", "Négociation"],
    "services": ["Ateliers"],
}


@pytest.fixture
def marie(club: str, at: At) -> Actor:
    at("2026-11-20T10:00")
    with transaction() as session:
        add_member(session, "Luc Petit", "luc@petit.example", role="Voisin")
        return Actor("marie@durand.example", member_id=add_member(session, **GIVEN).id, session_id="s")


def own(person: Actor) -> OwnProfile:
    with reading() as session:
        return own_profile.read_own_profile(session, person)


def save(person: Actor, **typed: str) -> None:
    with transaction() as session:
        own_profile.save(session, person, replace(own_profile.read_own_profile(session, person).form, **typed))


def row(person: Actor) -> Member:
    with reading() as session:
        found = session.get(Member, person.member_id)
    assert found
    return found


@pytest.mark.parametrize("person", [VISITOR, SYSTEM, Actor("a@b.example", is_admin=True, session_id="s")])
def test_only_a_member_has_a_profile(club: str, person: Actor) -> None:
    with transaction() as session:
        for act in (
            lambda: own_profile.read_own_profile(session, person),
            lambda: own_profile.save(session, person, ProfileForm()),
            lambda: own_profile.preview(session, person, ProfileForm()),
            lambda: own_profile.set_visibility(session, person, "is_listed", False),
        ):
            with pytest.raises(Forbidden):
                act()


def test_every_field_of_the_form_can_be_written(marie: Actor, at: At) -> None:
    at("2026-11-20T11:00")
    photo = uploads.store_image("avatars", images.encoded(images.quarters(), "JPEG"))
    save(
        marie,
        role="Directrice ",
        phone="06 12 34 56 78",
        linkedin="linkedin.com/in/marie",
        website="https://marie.example/",
        description="Deux\r\nlignes",
        expertise=" Vente ,, Écoute,",
        services="",
        image_url=photo,
    )
    found = row(marie)
    assert (found.role, found.phone, found.description) == ("Directrice", "06 12 34 56 78", "Deux\nlignes")
    assert (found.linkedin, found.website) == ("https://linkedin.com/in/marie", "https://marie.example/")
    assert (found.expertise, found.services, found.image_url) == (["Vente", "Écoute"], [], photo)
    assert found.updated_at == at("2026-11-20T11:00")
    assert (found.name, found.company, found.activity_domain) == ("Marie Durand", "Atelier", "Formation & Conseil")


def test_a_profile_that_is_saved_as_it_is_does_not_change(marie: Actor, at: At) -> None:
    with transaction() as session:
        found = session.get(Member, marie.member_id)
        assert found
        found.expertise, found.website, found.phone = ["Achat, vente", "Conseil"], "voir plus tard", "sur demande"
    before = row(marie).model_dump()
    at("2026-11-20T12:00")
    save(marie)
    assert row(marie).model_dump() == before


@pytest.mark.parametrize(
    ("name", "typed", "said"),
    [
        ("email", "", "elle sert à vous connecter"),
        ("email", "marie@durand", "adresse e-mail valide"),
        ("phone", "appelez-moi", "numéro de téléphone"),
        ("linkedin", "javascript:alert(1)", "adresse web"),
        ("website", "ftp://x.example", "adresse web"),
        ("role", "x" * 201, "200 caractères"),
        ("description", "x" * 10_001, "trop long"),
        ("expertise", ",".join(map(str, range(41))), "40 éléments"),
        ("image_url", "https://elsewhere.example/x.jpg", "choisissez-la à nouveau"),
    ],
)
def test_a_wrong_field_is_named_and_nothing_is_written(marie: Actor, name: str, typed: str, said: str) -> None:
    before = row(marie).model_dump()
    with pytest.raises(InvalidForm) as refusal:
        save(marie, **{"role": "Autre", name: typed})
    assert list(refusal.value.errors) == [name]
    assert said in refusal.value.errors[name]
    assert row(marie).model_dump() == before


def test_someone_else_s_photograph_cannot_be_taken(marie: Actor) -> None:
    photo = uploads.store_image("avatars", images.encoded(images.quarters(), "JPEG"))
    with transaction() as session:
        add_member(session, "Eva", "eva@x.example", image_url=photo)
    with pytest.raises(InvalidForm):
        save(marie, image_url=photo)


def test_what_someone_else_saved_meanwhile_is_told_and_then_replaced(marie: Actor, at: At) -> None:
    opened = own(marie).form
    at("2026-11-20T11:00")
    with transaction() as session:
        found = session.get(Member, marie.member_id)
        assert found
        found.phone, found.role, found.updated_at = "03 00 00 00 00", "Présidente", at("2026-11-20T11:00")
    typed = replace(opened, phone="06 12 34 56 78", description="À moi")
    with pytest.raises(edit_conflicts.RecordChanged) as refusal, transaction() as session:
        own_profile.save(session, marie, typed)
    assert refusal.value.theirs == {"phone": "03 00 00 00 00", "role": "Présidente", "description": "Je forme."}
    assert row(marie).phone == "03 00 00 00 00"
    with transaction() as session:
        own_profile.save(session, marie, replace(typed, seen=refusal.value.seen))
    assert (row(marie).phone, row(marie).role, row(marie).description) == ("06 12 34 56 78", "Gérante", "À moi")


def test_a_photograph_that_someone_replaced_meanwhile_is_a_conflict_and_no_wrong_image(marie: Actor, at: At) -> None:
    first, second = (uploads.store_image("avatars", images.encoded(images.quarters(), "JPEG")) for _ in range(2))
    save(marie, image_url=first)
    opened = own(marie).form
    at("2026-11-20T11:00")
    save(marie, image_url=second)
    typed = replace(opened, role="Directrice")
    with pytest.raises(edit_conflicts.RecordChanged) as refusal, transaction() as session:
        own_profile.save(session, marie, typed)
    assert refusal.value.theirs == {"image_url": second, "role": "Gérante"}
    with transaction() as session:
        own_profile.save(session, marie, refusal.value.merge(opened, typed))
    assert (row(marie).role, row(marie).image_url) == ("Directrice", second)


def test_a_form_without_its_version_writes_nothing(marie: Actor) -> None:
    with pytest.raises(edit_conflicts.RecordChanged):
        save(marie, seen="", role="Autre")
    assert row(marie).role == "Gérante"


def test_a_new_address_waits_and_the_rest_is_written(marie: Actor) -> None:
    save(marie, email="Marie@Nouvelle.example", role="Directrice")
    assert (row(marie).email, row(marie).role) == ("marie@durand.example", "Directrice")
    assert own(marie).pending.email == "marie@nouvelle.example"
    save(marie, email="marie@nouvelle.example")
    with reading() as session:
        mails = {mail.kind: mail.recipient for mail in session.exec(select(OutboxMail))}
    assert mails == {"email_change": "marie@nouvelle.example", "security_notice": "marie@durand.example"}


def test_a_preview_shows_what_is_typed_and_writes_nothing(marie: Actor) -> None:
    before = row(marie).model_dump()
    with reading() as session:
        typed = replace(
            own_profile.read_own_profile(session, marie).form,
            role="Directrice",
            services="A, B",
            email="neuve@x.example",
        )
        shown = own_profile.preview(session, marie, typed)
        assert not session.new | session.dirty
    assert (shown.name, shown.role, shown.services) == ("Marie Durand", "Directrice", ("A", "B"))
    assert shown.contacts[0].detail == "neuve@x.example"
    assert row(marie).model_dump() == before


def test_a_choice_takes_effect_at_once(marie: Actor) -> None:
    assert marie.member_id
    photo = uploads.store_image("avatars", images.encoded(images.quarters(), "JPEG"))
    save(marie, image_url=photo)
    for choice in ("shows_email", "shows_phone", "shows_photo"):
        with transaction() as session:
            own_profile.set_visibility(session, marie, choice, False)
    with reading() as session:
        page, listed = for_visitors.read_member_page(session, marie.member_id), for_visitors.search_members(session)
    assert page.contacts == ()
    assert "durand" not in page.mail_href
    assert page.picture.address.startswith("/avatars/")
    assert [card.picture.src for card in listed.members] == ["", ""]


def test_who_leaves_the_directory_is_nowhere_in_it_and_can_come_back(marie: Actor) -> None:
    assert marie.member_id
    for listed in (False, True):
        with transaction() as session:
            own_profile.set_visibility(session, marie, "is_listed", listed)
        with reading() as session:
            names = [card.name for card in for_visitors.search_members(session).members]
        assert ("Marie Durand" in names) is listed
    assert row(marie).is_active


@pytest.mark.parametrize("choice", ["is_active", "name", "company_id", "opted_out_at", "", "__class__"])
def test_nothing_else_can_be_chosen(marie: Actor, choice: str) -> None:
    before = row(marie).model_dump()
    with pytest.raises(Invalid), transaction() as session:
        own_profile.set_visibility(session, marie, choice, False)
    assert row(marie).model_dump() == before


def test_a_choice_of_one_s_own_does_not_make_the_open_form_stale(marie: Actor, at: At) -> None:
    opened = own(marie).form
    at("2026-11-20T11:00")
    with transaction() as session:
        seen = own_profile.set_visibility(session, marie, "shows_phone", False, opened.seen)
        older = own_profile.set_visibility(session, marie, "shows_phone", True, "2020-01-01")
    assert (older, seen != opened.seen) == ("2020-01-01", True)
    at("2026-11-20T11:01")
    with transaction() as session:
        seen = own_profile.set_visibility(session, marie, "shows_phone", False, own(marie).form.seen)
        own_profile.save(session, marie, replace(opened, seen=seen, role="Directrice"))
    assert (row(marie).role, row(marie).shows_phone) == ("Directrice", False)


def test_every_change_is_in_the_journal(marie: Actor) -> None:
    save(marie, role="Directrice")
    save(marie)
    with transaction() as session:
        own_profile.set_visibility(session, marie, "shows_phone", False)
        own_profile.set_visibility(session, marie, "shows_phone", False)
    with reading() as session:
        found = [(act.action, act.actor_kind, act.subject) for act in session.exec(select(Act))]
    assert sorted(found) == [
        ("profile.updated", "member", marie.member_id),
        ("profile.visibility", "member", marie.member_id),
    ]
