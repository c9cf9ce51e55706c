"""Members, by administrators: who may, what is refused, and what a save or a deletion brings with it."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.infra import image_store
from clubapp.models import (
    Act,
    ActChanges,
    Company,
    EmailChange,
    Event,
    EventReservation,
    Member,
    OutboxMail,
    UserSession,
    invited,
)
from clubapp.refusals import Forbidden, NotFound
from clubapp.services.access import sessions
from clubapp.services.attendance.attendee_list import list_attendees
from clubapp.services.base.actors import VISITOR, Actor
from clubapp.services.base.edit_conflicts import RecordChanged
from clubapp.services.base.form_fields import NOTHING, WRONG_PHONE, WRONG_WEB, InvalidForm
from clubapp.services.events.admin_views import Figures, count_figures
from clubapp.services.members import editing
from clubapp.services.members.admin_form import (
    CHOOSE_COMPANY,
    KEPT_COMPANY,
    NEW_COMPANY,
    NO_COMPANY_NAME,
    NO_DESCRIPTION,
    MemberForm,
)
from clubapp.text.email_addresses import INVALID
from tests.factories import add_admin, add_company, add_event, add_member, add_reservation
from tests.images import encoded, quarters

HELENE = Actor(email="helene@beffroi.example", is_admin=True, session_id="s")
LEA = Actor(email="lea@beffroi.example", is_admin=True, session_id="l")
MARIE = Actor(email="marie@durand.example", member_id="m", session_id="t")
TYPED = MemberForm(name="Zoé Fauconnier", role="Gérante", description="Une filature, trois métiers.")


@pytest.fixture(autouse=True)
def november(at: Callable[[str], datetime]) -> Callable[[str], datetime]:
    at("2026-11-20T10:00")
    return at


def save(typed: MemberForm, actor: Actor = HELENE) -> str:
    with transaction() as session:
        return editing.save(session, actor, typed)


def opened(member_id: str) -> MemberForm:
    with reading() as session:
        return editing.open_form(session, HELENE, member_id)


def stored(member_id: str) -> Member:
    with reading() as session:
        found = session.get(Member, member_id)
        assert found is not None
        return found


def made(email: str | None = "marie@durand.example", **given: Any) -> str:
    """A complete member of a company."""
    with transaction() as session:
        company = add_company(session, "Filature du Pont", activity_domain="Formation & Conseil")
        complete = {"role": "Gérante", "description": "Bonjour.", "company": company.name, "company_id": company.id}
        return add_member(session, email=email, **complete | given).id


def company_id() -> str:
    with transaction() as session:
        return add_company(session, "Atelier Lefèbvre", activity_domain="Bâtiment & Travaux").id


def errors_of(typed: MemberForm) -> dict[str, str]:
    with pytest.raises(InvalidForm) as refused:
        save(typed)
    return refused.value.errors


ACTS: list[Callable[[Session, Actor, str], Any]] = [
    lambda session, actor, member_id: editing.save(session, actor, TYPED),
    lambda session, actor, member_id: editing.save(session, actor, replace(TYPED, id=member_id)),
    editing.delete,
    editing.deactivate,
    editing.open_form,
    lambda session, actor, member_id: editing.list_company_choices(session, actor),
]


@pytest.mark.parametrize("actor", [VISITOR, MARIE], ids=["visitor", "member"])
@pytest.mark.parametrize("act", ACTS)
def test_only_an_administrator_may(club: str, actor: Actor, act: Callable[[Session, Actor, str], Any]) -> None:
    member_id = made()
    with pytest.raises(Forbidden), transaction() as session:
        act(session, actor, member_id)
    with reading() as session:
        assert [member.name for member in session.exec(select(Member))] == ["Marie Durand"]


def test_a_new_member_carries_the_name_of_the_company_chosen(club: str) -> None:
    member = stored(
        save(
            replace(
                TYPED,
                name="  Zoé   Fauconnier ",
                company_id=company_id(),
                activity_domain="Bâtiment & Travaux",
                email=" Zoe@Filature.Example ",
                phone="03 20 55 55 01",
                website="www.filature.example",
                expertise=" lin , , laine,soie ",
                services="",
                shows_phone=False,
            )
        )
    )
    assert (member.name, member.company, member.email) == ("Zoé Fauconnier", "Atelier Lefèbvre", "zoe@filature.example")
    assert (member.website, member.phone) == ("https://www.filature.example", "03 20 55 55 01")
    assert (member.expertise, member.services) == (["lin", "laine", "soie"], [])
    assert (member.is_active, member.is_listed, member.shows_phone, member.created_at) == (
        True,
        True,
        False,
        clock.now(),
    )


@pytest.mark.parametrize(
    ("typed", "kept"), [("", ""), (" Zoé ", ""), ("Zoé Marie", "Zoé Marie")], ids=["none", "as-guessed", "other"]
)
def test_a_first_name_is_kept_when_it_is_not_the_one_the_name_says(club: str, typed: str, kept: str) -> None:
    member_id = save(replace(TYPED, name="Zoé Marie Fauconnier", first_name=typed, company_id=company_id()))
    assert stored(member_id).first_name == kept


def companies() -> list[tuple[str, str]]:
    with reading() as session:
        return [(row.name, row.activity_domain) for row in session.exec(select(Company).order_by(Company.name))]


def test_a_company_that_is_not_in_the_list_is_made_with_its_name_alone(club: str) -> None:
    new = replace(TYPED, company_id=NEW_COMPANY, activity_domain="Bâtiment & Travaux")
    assert errors_of(replace(new, company=" ")) == {"company": NO_COMPANY_NAME}
    assert companies() == []
    assert "role" in errors_of(replace(new, company="Épicerie Lo", role=""))
    assert companies() == [], "nothing is made while the member is refused"
    first = stored(save(replace(new, company=" Épicerie  Lo ")))
    assert (first.company, companies()) == ("Épicerie Lo", [("Épicerie Lo", "Bâtiment & Travaux")])
    second = stored(save(replace(new, company="épicerie lo", name="Luc", email="luc@lo.example")))
    assert (second.company_id, second.company) == (first.company_id, "Épicerie Lo"), "one company of a name"
    assert len(companies()) == 1


def test_the_refusal_of_a_form_names_all_that_is_missing(club: str) -> None:
    with pytest.raises(InvalidForm) as refused:
        save(replace(TYPED, role="", description=""))
    assert refused.value.text == (
        "Indiquez la fonction. Choisissez l’entreprise dans la liste. Présentez ce membre en quelques phrases."
    )


def test_a_form_says_everything_that_is_wrong_at_once(club: str) -> None:
    errors = errors_of(MemberForm(email="zoe", phone="12", linkedin="javascript:alert(1)", website="ftp://a.example"))
    assert errors == {
        "name": "Indiquez le nom complet.",
        "role": "Indiquez la fonction.",
        "company_id": CHOOSE_COMPANY,
        "description": NO_DESCRIPTION,
        "email": INVALID,
        "phone": WRONG_PHONE,
        "linkedin": WRONG_WEB,
        "website": WRONG_WEB,
    }
    with reading() as session:
        assert session.exec(select(Member)).all() == []


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"name": "x" * 201}, "name"),
        ({"description": "x" * 10_001}, "description"),
        ({"expertise": "x" * 201}, "expertise"),
        ({"services": ",".join(map(str, range(41)))}, "services"),
        ({"activity_domain": "Piraterie"}, "activity_domain"),
        ({"company_id": "nulle-part"}, "company_id"),
        ({"company_id": KEPT_COMPANY}, "company_id"),
        ({"image_url": "https://evil.example/x.jpg"}, "image_url"),
        ({"image_url": "/media/avatars/1-aaaaaaaaaaaaaaaa.jpg"}, "image_url"),
    ],
)
def test_what_breaks_a_limit_is_refused_beside_its_field(club: str, wrong: dict[str, str], field: str) -> None:
    assert list(errors_of(replace(TYPED, **{"company_id": company_id()} | wrong))) == [field]


def test_an_address_belongs_to_one_member_whose_name_is_told(club: str) -> None:
    made("marie@durand.example")
    errors = errors_of(replace(TYPED, company_id=company_id(), email="MARIE@durand.example"))
    assert errors == {"email": "Cette adresse est déjà celle de Marie Durand."}


def test_opening_and_saving_changes_nothing(club: str, november: Callable[[str], datetime]) -> None:
    member_id = made(expertise=["lin, laine", "soie"], phone="poste 12", activity_domain="Piraterie")
    before = stored(member_id)
    november("2026-11-21T10:00")
    for _ in range(3):
        save(opened(member_id))
    assert stored(member_id) == before
    with reading() as session:
        assert session.exec(select(Act)).all() == []


def test_a_member_without_a_listed_company_keeps_its_name(club: str) -> None:
    member_id = made(company="Ancienne maison", company_id=None)
    assert opened(member_id).company_id == KEPT_COMPANY
    save(replace(opened(member_id), role="Associée"))
    assert (stored(member_id).company, stored(member_id).role) == ("Ancienne maison", "Associée")
    with transaction() as session:
        nobody = add_member(session, "Sans maison", None, role="x", description="x").id
    assert opened(nobody).company_id == NOTHING
    assert errors_of(opened(nobody)) == {"company_id": CHOOSE_COMPANY}


def test_of_two_people_the_second_is_told_and_nothing_is_overwritten(
    club: str, november: Callable[[str], datetime]
) -> None:
    member_id = made(phone="")
    mine = theirs = opened(member_id)
    november("2026-11-20T10:05")
    save(replace(theirs, phone="03 20 55 55 01", is_active=False), LEA)
    november("2026-11-20T10:06")
    wanted = replace(mine, phone="", role="Directrice")
    with pytest.raises(RecordChanged) as refused:
        save(wanted)
    told = refused.value
    assert told.saved_by == "Modifiée par lea@beffroi.example, vendredi 20 novembre 2026 à 11:05."
    assert [(row.name, row.label, row.theirs, row.mine) for row in told.differences] == [
        ("role", "Fonction", "Gérante", "Directrice"),
        ("phone", "Téléphone", "03 20 55 55 01", ""),
        ("is_active", "Membre actif", "non", "oui"),
    ]
    assert told.find_contested(mine, wanted) == [], "nothing was changed by both"
    both = replace(wanted, phone="03 20 55 55 09")
    assert [row.name for row in told.find_contested(mine, both)] == ["phone"]
    unknown = replace(mine, seen="another version")
    assert told.find_contested(unknown, wanted) == list(told.differences)
    assert stored(member_id).role == "Gérante"

    save(told.merge(mine, wanted))
    found = stored(member_id)
    assert (found.role, found.phone, found.is_active) == ("Directrice", "03 20 55 55 01", False)


def test_an_old_version_that_differs_in_nothing_is_saved(club: str, november: Callable[[str], datetime]) -> None:
    member_id = made()
    mine = opened(member_id)
    november("2026-11-20T10:05")
    save(replace(mine, role="Directrice"), LEA)
    save(replace(mine, role="Directrice"))
    assert stored(member_id).role == "Directrice"


@pytest.mark.parametrize("change", [{"is_active": False}, {"email": "nouvelle@durand.example"}, {"email": ""}])
def test_a_lost_right_ends_every_session(club: str, change: dict[str, Any]) -> None:
    member_id = made(email_failed_at=clock.now(), email_failure="550")
    with transaction() as session:
        cookie, _ = sessions.open_session(session, "marie@durand.example")
        session.add(_wish(member_id))
    save(replace(opened(member_id), **change))
    with reading() as session:
        assert sessions.find_actor(session, cookie.partition(".")[0]) is None
        assert session.exec(select(UserSession.ended_at)).one() == clock.now()
        assert (session.exec(select(EmailChange.voided_at)).one() is None) == ("email" not in change)
    assert (stored(member_id).email_failure == "") == ("email" in change)


def _wish(member_id: str) -> EmailChange:
    now = clock.now()
    return EmailChange(member_id=member_id, new_email="x@y.example", token_hash="h", created_at=now, expires_at=now)


def test_an_inactive_member_keeps_their_record_and_loses_their_sessions(club: str) -> None:
    member_id = made()
    with transaction() as session:
        sessions.open_session(session, "marie@durand.example")
        member = session.get_one(Member, member_id)
        for days in (-30, 30):
            event = add_event(session, date=clock.now() + timedelta(days=days), status="confirmed")
            add_reservation(session, event, member)
    with transaction() as session:
        editing.deactivate(session, HELENE, member_id)
        editing.deactivate(session, HELENE, member_id)
    assert not stored(member_id).is_active
    asked = select(invited()).select_from(EventReservation).join(Event).order_by(col(Event.date))
    with reading() as session:
        assert session.exec(asked).all() == [True, False], "nobody calls them"
        assert count_figures(session, event.id) == Figures()
        assert not list_attendees(session, event)
    with transaction() as session:
        editing.activate(session, HELENE, member_id)
        assert session.exec(asked).all() == [True, True], "they are asked again"
        editing.deactivate(session, HELENE, member_id)
    with reading() as session:
        assert session.exec(select(UserSession.ended_at)).one() == clock.now()
        changed = session.exec(select(ActChanges.content).join(Act).order_by(col(Act.number))).all()
    assert [each["is_active"] for each in changed] == [[True, False], [False, True], [True, False]]


def test_another_change_leaves_the_sessions_alone(club: str) -> None:
    member_id = made()
    with transaction() as session:
        cookie, _ = sessions.open_session(session, "marie@durand.example")
    save(replace(opened(member_id), role="Directrice"))
    with reading() as session:
        assert sessions.find_actor(session, cookie.partition(".")[0]) is not None


def test_a_photograph_that_was_replaced_meanwhile_is_a_conflict_and_no_wrong_image(
    club: str, november: Callable[[str], datetime]
) -> None:
    first, second = (image_store.address(image_store.save("avatars", encoded(quarters(), "JPEG"))) for _ in range(2))
    member_id = made(image_url=first)
    mine = opened(member_id)
    november("2026-11-20T10:05")
    save(replace(mine, image_url=second), LEA)
    with pytest.raises(RecordChanged) as refused:
        save(replace(mine, role="Directrice"))
    assert refused.value.theirs == {"image_url": second, "role": "Gérante"}
    save(refused.value.merge(mine, replace(mine, role="Directrice")))
    assert (stored(member_id).role, stored(member_id).image_url) == ("Directrice", second)


def test_a_deleted_member_is_invited_to_nothing_any_more(club: str) -> None:
    member_id = made()
    with transaction() as session:
        member = session.get_one(Member, member_id)
        past, coming = (add_event(session, date=clock.now() + timedelta(days=days)) for days in (-30, 30))
        other = add_event(session, "Autre", date=clock.now() + timedelta(days=60))
        add_reservation(session, past, member)
        add_reservation(session, coming, member)
        add_reservation(session, other, member, will_attend=True)
    with transaction() as session:
        editing.delete(session, HELENE, member_id)
    with reading() as session:
        left = select(EventReservation.event_id, EventReservation.member_id, EventReservation.will_attend)
        assert session.exec(left).all() == [(past.id, None, None)], "the counts of what was held stay"


def test_a_deleted_member_goes_with_photo_and_sessions_and_the_counts_stay(club: str) -> None:
    path = image_store.save("avatars", encoded(quarters(), "JPEG"))
    member_id = made(image_url=image_store.address(path))
    with transaction() as session:
        now = clock.now()
        event, member = add_event(session, date=now - timedelta(days=30)), session.get(Member, member_id)
        assert member is not None
        add_reservation(session, event, member, will_attend=True)
        mail = {"key": "k", "kind": "invitation", "member_id": member_id, "available_at": now}
        session.add(OutboxMail(**mail, created_at=now, updated_at=now))
        sessions.open_session(session, "marie@durand.example")
    with suppress(RuntimeError), transaction() as session:
        editing.delete(session, HELENE, member_id)
        raise RuntimeError("taken back")
    assert image_store.exists(path), "a deletion that is taken back keeps the photo"

    with transaction() as session:
        editing.delete(session, HELENE, member_id)
    with reading() as session:
        assert session.exec(select(Member)).all() == []
        assert session.exec(select(EventReservation.member_id, EventReservation.will_attend)).all() == [(None, True)]
        assert session.exec(select(OutboxMail.member_id)).all() == [None]
        assert session.exec(select(UserSession)).all() == []
        assert [entry.action for entry in session.exec(select(Act))] == ["member.deleted"]
    assert not image_store.exists(path)
    with pytest.raises(NotFound), transaction() as session:
        editing.delete(session, HELENE, member_id)


def test_an_administrators_session_does_not_rest_on_being_a_member(club: str) -> None:
    member_id = made("helene@beffroi.example")
    with transaction() as session:
        add_admin(session, "helene@beffroi.example")
        cookie, _ = sessions.open_session(session, "helene@beffroi.example")
    with transaction() as session:
        editing.delete(session, HELENE, member_id)
    with reading() as session:
        assert sessions.find_actor(session, cookie.partition(".")[0]) is not None


def test_the_companies_are_offered_by_name(club: str) -> None:
    with transaction() as session:
        for name in ("Zinguerie", "Écluse & Fils", "atelier"):
            add_company(session, name, activity_domain="Bâtiment & Travaux")
    with reading() as session:
        found = editing.list_company_choices(session, HELENE)
    assert [(one.name, one.domain) for one in found] == [
        (name, "Bâtiment & Travaux") for name in ("atelier", "Écluse & Fils", "Zinguerie")
    ]
