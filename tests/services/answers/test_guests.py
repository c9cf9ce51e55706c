"""Guests by name: one writer for all ways of answering, nothing required, and who is not counted is not kept."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlmodel import select

from clubapp.database import commit_with_retry, reading, transaction
from clubapp.models import ActChanges, EventGuest, EventReservation, Member
from clubapp.refusals import Conflict, Invalid, TooMany
from clubapp.services.answers import by_link, by_phone, guest_mails, guests, signed_in
from clubapp.services.answers.answer_form import Answer, parse_answer, parse_posted
from clubapp.services.answers.guests import GuestEntry
from clubapp.services.base.actors import Actor
from clubapp.services.base.form_fields import InvalidForm
from clubapp.services.events import admin_views
from clubapp.services.members import editing
from clubapp.services.privacy import retention
from tests.conftest import on_sqlite
from tests.services.answers.invitees import ADMIN, NOW, Invitee, Move, change_event, invite

ZOE = GuestEntry("Zoé Lys", "Lys & Cie", "zoe@lys.example")
ALI = GuestEntry("Ali Ben")


def names(person: Invitee, *entries: GuestEntry, wish: str | None = None) -> None:
    with transaction() as session:
        by_link.record_answer(session, person.event_id, person.token, Answer(guests=entries, meal_wish=wish))


def kept(person: Invitee) -> tuple[GuestEntry, ...]:
    with reading() as session:
        return guests.read_guests(session, session.get_one(EventReservation, person.reservation_id))


def rows(person: Invitee) -> list[EventGuest]:
    with reading() as session:
        own = select(EventGuest).where(EventGuest.reservation_id == person.reservation_id)
        return list(session.exec(own.order_by(EventGuest.position)))  # pyright: ignore[reportArgumentType]


@pytest.fixture
def marie(club: str, at: Move) -> Invitee:
    """Marie, who comes with two guests."""
    at(NOW)
    (person,) = invite("Marie")
    person.says(True, 2)
    return person


def test_what_is_said_is_kept_in_order_and_what_is_blank_has_no_row(marie: Invitee) -> None:
    assert kept(marie) == (GuestEntry(), GuestEntry())
    names(marie, GuestEntry(), GuestEntry("  Zoé   Lys ", email=" ZOE@lys.example", with_lunch=False, meal_wish="sel"))
    assert kept(marie) == (GuestEntry(), GuestEntry("Zoé Lys", "", "zoe@lys.example", False, "sel"))
    assert [row.position for row in rows(marie)] == [2]
    names(marie, ALI, GuestEntry("\u200b\u200b", "\ufeff", "\u2060"))
    assert kept(marie) == (ALI, GuestEntry())


@on_sqlite
def test_the_same_by_link_signed_in_and_by_telephone(marie: Invitee) -> None:
    names(marie, ZOE)
    own = Actor(email="marie@club.example", member_id=marie.member_id, session_id="s")
    with transaction() as session:
        signed_in.record_own_answer(session, own, marie.event_id, Answer(guests=(ZOE, ALI), meal_wish="végétarien"))
    assert (kept(marie), marie.row.meal_wish, marie.row.answered_via) == ((ZOE, ALI), "végétarien", "link")
    with transaction() as session:
        by_phone.record_answer(session, ADMIN, marie.reservation_id, Answer(guests=(ALI,)))
    assert (kept(marie), marie.row.meal_wish) == ((ALI, GuestEntry()), "végétarien")
    with transaction() as session:
        by_phone.record_answer(session, ADMIN, marie.reservation_id, parse_answer(True, None, 2))
    assert kept(marie)[0] == ALI, "an answer that says nothing of them leaves them"


@on_sqlite
def test_a_wrong_address_is_refused_beside_its_guest_and_nothing_is_kept(marie: Invitee) -> None:
    names(marie, ZOE)
    with pytest.raises(InvalidForm) as refused:
        names(marie, ALI, GuestEntry("Luc", email="luc chez lui"), wish="poisson")
    assert list(refused.value.errors) == ["guest_email_2"]
    with pytest.raises(InvalidForm, match="200 caractères"):
        names(marie, GuestEntry("x" * 201))
    with pytest.raises(InvalidForm, match="200 caractères"):
        names(marie, wish="x" * 201)
    assert (kept(marie)[0], marie.row.meal_wish) == (ZOE, "")


@on_sqlite
def test_no_more_guests_are_named_than_are_counted(marie: Invitee) -> None:
    names(marie, ZOE, ALI, GuestEntry())
    with pytest.raises(Invalid, match="indiquez d’abord leur nombre"):
        names(marie, ZOE, ALI, GuestEntry("Luc"))
    with transaction() as session:
        whole = parse_posted([("guest_count", "3"), *[("guest_name", name) for name in ("Zoé Lys", "Ali Ben", "Luc")]])
        by_link.record_answer(session, marie.event_id, marie.token, whole)
    assert [entry.name for entry in kept(marie)] == ["Zoé Lys", "Ali Ben", "Luc"]


def test_fewer_guests_forget_the_last_ones(marie: Invitee) -> None:
    names(marie, ZOE, ALI)
    marie.brings(1)
    assert [row.name for row in rows(marie)] == ["Zoé Lys"]
    marie.brings(2)
    assert kept(marie) == (ZOE, GuestEntry())


@on_sqlite
def test_a_no_forgets_guests_and_wishes_and_names_nobody(marie: Invitee) -> None:
    names(marie, ZOE, wish="sans sel")
    marie.says(False)
    assert (rows(marie), marie.row.meal_wish) == ([], "")
    with pytest.raises(Conflict):
        names(marie, ZOE)
    with pytest.raises(Conflict):
        names(marie, wish="sans sel")
    assert (rows(marie), marie.row.meal_wish) == ([], "")


def test_who_is_erased_takes_their_guests_along(marie: Invitee) -> None:
    names(marie, ZOE, wish="sans sel")
    with transaction() as session:
        editing.delete(session, ADMIN, marie.member_id)
    with reading() as session:
        assert (session.exec(select(EventGuest)).all(), session.exec(select(EventReservation)).all()) == ([], [])


@on_sqlite
def test_of_a_past_event_the_number_of_guests_stays_when_their_member_is_erased(marie: Invitee, at: Move) -> None:
    names(marie, ZOE)
    at("2027-01-15T10:00")
    with transaction() as session:
        editing.delete(session, ADMIN, marie.member_id)
    assert (rows(marie), marie.row.guest_count) == ([], 2)


@pytest.mark.parametrize("how", ["deleted", "two years"])
def test_of_a_past_event_the_meals_stay_when_the_names_of_guests_go(club: str, at: Move, how: str) -> None:
    """Fails when a guest who did not eat is counted as their member, who did, once nothing else is known of them."""
    at(NOW)
    (marie,) = invite("Marie", has_lunch=True)
    marie.says(True)
    marie.takes_lunch(True)
    marie.brings(3)
    names(marie, GuestEntry("Zoé Lys", "Lys & Cie", "zoe@lys.example", False, "eau"), ALI, GuestEntry(with_lunch=False))

    def meals() -> int:
        with reading() as session:
            return admin_views.read_detail(session, ADMIN, marie.event_id).total_meals

    known = {row.id for row in rows(marie)}
    assert (meals(), len(known)) == (2, 3)
    at("2029-02-01T10:00" if how == "two years" else "2027-01-15T10:00")
    for _ in range(2):
        with transaction() as session:
            if how == "two years":
                retention.erase_expired(session)
            elif session.get(Member, marie.member_id):
                editing.delete(session, ADMIN, marie.member_id)
    assert (meals(), marie.row.guest_count) == (2, 3)
    assert kept(marie) == (GuestEntry(with_lunch=False), GuestEntry(), GuestEntry(with_lunch=False))
    with reading() as session:
        assert "Zoé" not in repr(session.exec(select(EventGuest)).all())
    assert rows(marie)[0].id not in known, "the link of their mail ends"


@on_sqlite
def test_a_guest_keeps_their_row_while_their_address_stays(marie: Invitee) -> None:
    names(marie, ALI, ZOE)
    ali, zoe = (row.id for row in rows(marie))
    names(marie, GuestEntry("Zoé Lys-Ory", email="zoe@lys.example"), ALI)
    assert [(row.id, row.name) for row in rows(marie)] == [(zoe, "Zoé Lys-Ory"), (rows(marie)[1].id, "Ali Ben")]
    names(marie, GuestEntry("Zoé Lys", email="autre@lys.example"), ALI)
    assert rows(marie)[0].id != zoe, "the link of a former address ends"
    names(marie, GuestEntry("Zoé Lys", email="autre@lys.example"), GuestEntry("Ali Ben", email="ali@ben.example"))
    assert ali not in [row.id for row in rows(marie)]


@on_sqlite
def test_names_are_closed_with_the_answers(marie: Invitee, at: Move) -> None:
    change_event(marie.event_id, answers_until=at("2026-12-01T10:00"))
    with pytest.raises(Conflict, match="closes"):
        names(marie, ZOE)


@on_sqlite
def test_the_journal_counts_the_guests_named_by_telephone_and_keeps_no_name(marie: Invitee) -> None:
    with transaction() as session:
        by_phone.record_answer(session, ADMIN, marie.reservation_id, Answer(guests=(ZOE, ALI)))
    with reading() as session:
        assert [row.content for row in session.exec(select(ActChanges)).all()] == [{"named_guests": [0, 2]}]


def test_the_fields_of_a_form_are_read_guest_by_guest() -> None:
    said = parse_posted(
        [
            ("token", "x"),
            *[("guest_name", "Zoé"), ("guest_company", "Lys"), ("guest_email", ""), ("guest_lunch", "false")],
            *[("guest_name", ""), ("guest_company", ""), ("guest_email", "a@b.example"), ("guest_lunch", "")],
            ("meal_wish", "sans sel"),
        ]
    )
    assert said.guests == (GuestEntry("Zoé", "Lys", "", False), GuestEntry(email="a@b.example"))
    assert (said.meal_wish, said.guest_count) == ("sans sel", None)
    assert parse_posted([("guest_count", "2")]).guests is None


def test_two_posts_at_once_name_each_guest_once(marie: Invitee) -> None:
    def post() -> None:
        said = Answer(guests=(ZOE, ALI))
        commit_with_retry(lambda session: by_link.record_answer(session, marie.event_id, marie.token, said))

    with ThreadPoolExecutor(6) as pool:
        for done in [pool.submit(post) for _ in range(12)]:
            done.result()
    assert kept(marie) == (ZOE, ALI)
    assert len(rows(marie)) == 2


@on_sqlite
def test_two_guests_of_one_address_are_refused_and_whoever_is_named_is_shown(marie: Invitee) -> None:
    with pytest.raises(InvalidForm) as refused:
        names(marie, ZOE, GuestEntry("Ali", email="ZOE@lys.example"))
    assert refused.value.errors == {"guest_email_2": guests.SAME_ADDRESS}
    names(marie, GuestEntry(), GuestEntry(email="ali@ben.example"))
    assert marie.open().guest_names == ("Invité 1", "ali@ben.example")


@on_sqlite
def test_a_link_writes_to_so_many_strangers_a_day_and_no_more(marie: Invitee, at: Move) -> None:
    """Fails when whoever holds a link can send the club's mails to any address without end (W14)."""
    for number in range(guest_mails.MOST_NOTICES // 2):
        names(marie, *(GuestEntry("Zoé", email=f"{one}{number}@lys.example") for one in "ab"))
    last = kept(marie)
    with pytest.raises(TooMany) as refused:
        names(marie, GuestEntry("Zoé", email="encore@lys.example"), ALI)
    assert (kept(marie), str(refused.value.text)) == (last, guest_mails.TOO_MANY_ADDRESSES)
    names(marie, ALI, GuestEntry("Léa"))
    assert kept(marie) == (ALI, GuestEntry("Léa")), "a name without an address writes to nobody"
    at("2026-11-21T10:01")
    names(marie, ZOE)
    assert kept(marie)[0] == ZOE
