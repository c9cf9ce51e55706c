"""Events: who may, what is refused, and what a save does and does not change."""

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlmodel import Session, select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.models import AuditEntry, Event, EventReservation, EventSpeaker, PlannedMailing, PlannedState
from clubapp.refusals import Conflict, Forbidden, Invalid, NotFound
from clubapp.services import event_copies, event_views, events
from clubapp.services.actors import VISITOR, Actor
from clubapp.services.event_form import EventForm, InvalidForm, SpeakerForm
from tests.factories import add_event, add_member, add_reservation

HELENE = Actor(email="helene@beffroi.example", is_admin=True, session_id="s")
MARIE = Actor(email="marie@durand.example", member_id="m", session_id="t")
TYPED = EventForm(
    title="Matinale d'hiver",
    date="2027-01-14T12:00",
    location="Valenciennes",
    speakers=(SpeakerForm(name="Zoé Fauconnier"),),
)


def save(typed: EventForm, actor: Actor = HELENE) -> str:
    with transaction() as session:
        return events.save(session, actor, typed)


def reopened(event_id: str) -> EventForm:
    with reading() as session:
        return events.form(session, HELENE, event_id)


def stored(event_id: str) -> Event:
    with reading() as session:
        return events.find(session, event_id)


@pytest.fixture(autouse=True)
def november(at: Callable[[str], datetime]) -> Callable[[str], datetime]:
    at("2026-11-20T10:00")
    return at


ACTS: list[Callable[[Session, Actor, str], Any]] = [
    lambda session, actor, event_id: events.save(session, actor, TYPED),
    lambda session, actor, event_id: events.save(session, actor, replace(TYPED, id=event_id)),
    events.delete,
    events.deletion,
    events.form,
    event_copies.duplicate,
    lambda session, actor, event_id: event_views.known_people(session, actor),
    lambda session, actor, event_id: events.month_refusal(session, actor, "2027-01-14T12:00"),
    event_views.detail,
    lambda session, actor, event_id: event_views.calendar(session, actor),
    lambda session, actor, event_id: event_views.upcoming(session, actor),
]


@pytest.mark.parametrize("actor", [VISITOR, MARIE], ids=["visitor", "member"])
@pytest.mark.parametrize("act", ACTS)
def test_only_an_administrator_may(club: str, actor: Actor, act: Callable[[Session, Actor, str], Any]) -> None:
    with transaction() as session:
        event_id = add_event(session, title="Avant").id
    with pytest.raises(Forbidden), transaction() as session:
        act(session, actor, event_id)
    with reading() as session:
        assert [event.title for event in session.exec(select(Event))] == ["Avant"]


def test_a_new_event_is_a_draft_of_its_creator_with_its_speakers_in_order(club: str) -> None:
    typed = replace(
        TYPED,
        address="  ",
        max_participants="44",
        speakers=(
            SpeakerForm(name=" Zoé  Fauconnier ", company="Filature du Pont", bio="Ligne 1\r\nLigne 2"),
            SpeakerForm(name="  ", company="Personne"),
            SpeakerForm(name="Éric Lemoine", role="Directeur"),
        ),
    )
    event = stored(save(typed))
    assert event.date == datetime(2027, 1, 14, 11, tzinfo=UTC)
    assert (event.month, event.status, event.created_by) == ("2027-01", "draft", HELENE.email)
    assert (event.address, event.description, event.max_participants) == (None, None, 44)
    assert (event.invitation_sent, event.has_lunch, event.updated_at) == (False, True, clock.now())
    with reading() as session:
        rows = session.exec(select(EventSpeaker).order_by(EventSpeaker.display_order)).all()  # pyright: ignore[reportArgumentType]
        assert [(row.name, row.company, row.role, row.bio, row.display_order) for row in rows] == [
            ("Zoé Fauconnier", "Filature du Pont", None, "Ligne 1\nLigne 2", 0),
            ("Éric Lemoine", None, "Directeur", None, 1),
        ]
        assert [entry.action for entry in session.exec(select(AuditEntry))] == ["event.created"]


@pytest.mark.parametrize(
    ("wrong", "field", "sentence"),
    [
        ({"title": "  "}, "title", "Indiquez le titre de l'événement."),
        ({"title": "x" * 201}, "title", "200 caractères au maximum."),
        ({"date": ""}, "date", "Indiquez la date et l'heure de l'événement."),
        ({"date": "demain"}, "date", "Indiquez une date et une heure valides."),
        ({"date": "2027-02-30T12:00"}, "date", "Indiquez une date et une heure valides."),
        ({"date": "0001-01-01T00:00"}, "date", "Indiquez une année entre 2000 et 2100."),
        ({"date": "2027-03-28T02:30"}, "date", clock.NON_EXISTENT),
        ({"status": ""}, "status", "Choisissez le statut de l'événement."),
        ({"status": "published"}, "status", "Choisissez le statut de l'événement."),
        ({"location": ""}, "location", "Indiquez le lieu de l'événement."),
        ({"max_participants": "0"}, "max_participants", "à partir de 1"),
        ({"max_participants": "-3"}, "max_participants", "à partir de 1"),
        ({"max_participants": "12,5"}, "max_participants", "à partir de 1"),
        ({"max_participants": "9" * 40}, "max_participants", "à partir de 1"),
        ({"max_participants": "1".rjust(12, "0") + "9" * 9}, "max_participants", "à partir de 1"),
        ({"description": "x" * 10_001}, "description", "trop long"),
        ({"answers_until": "2027-01-14T12:00"}, "answers_until", "doit précéder l'événement"),
        ({"answers_until": "2026-03-29T02:30"}, "answers_until", clock.NON_EXISTENT),
        ({"answers_until": "bientôt"}, "answers_until", "Indiquez une date et une heure valides."),
        (
            {"speakers": (SpeakerForm("Zoé"), SpeakerForm("Éric", company="x" * 201))},
            "speaker_company",
            "Intervenant 2 : 200 caractères au maximum.",
        ),
        ({"speakers": (SpeakerForm(),)}, "speaker_name", "Indiquez le nom du premier intervenant."),
        ({"speakers": ()}, "speaker_name", "Indiquez le nom du premier intervenant."),
        ({"speakers": (SpeakerForm(), SpeakerForm("Éric"))}, "speaker_name", "Indiquez le nom du premier intervenant."),
        ({"speakers": (SpeakerForm("Éric"),) * 31}, "speaker_name", "30 intervenants au maximum."),
    ],
)
def test_a_wrong_field_is_refused_by_name(club: str, wrong: dict[str, Any], field: str, sentence: str) -> None:
    with pytest.raises(InvalidForm) as refused:
        save(replace(TYPED, **wrong))
    assert list(refused.value.errors) == [field]
    assert sentence in refused.value.errors[field]
    with reading() as session:
        assert session.exec(select(Event)).all() == []


def test_all_wrong_fields_are_told_at_once(club: str) -> None:
    with pytest.raises(InvalidForm) as refused:
        save(EventForm(status=""))
    assert list(refused.value.errors) == ["title", "date", "status", "location", "speaker_name"]


@pytest.mark.parametrize(
    "moment", ["2027-01-14T12:00", "2027-03-28T03:30", "2027-03-28T01:59", "2027-10-31T02:30", "2026-12-31T23:59"]
)
def test_saving_ten_times_unchanged_changes_nothing(club: str, moment: str, november: Callable[..., datetime]) -> None:
    typed = replace(TYPED, date=moment, max_participants="30", has_lunch=False, answers_until="2026-10-25T02:30")
    event_id = save(typed)
    first, first_event = reopened(event_id), stored(event_id)
    for minute in range(10):
        november(f"2026-11-20T11:{minute:02}")
        assert save(reopened(event_id)) == event_id
    assert replace(reopened(event_id), seen="") == replace(first, seen="") == replace(typed, id=event_id)
    assert stored(event_id).date == first_event.date
    assert stored(event_id).answers_until == first_event.answers_until
    assert stored(event_id).sequence == 0
    assert stored(event_id).updated_at == clock.now()


def test_the_second_of_two_half_past_twos_survives_a_save(club: str) -> None:
    second = datetime(2027, 10, 31, 1, 30, 20, tzinfo=UTC)  # 02:30 for the second time that night in Paris
    with transaction() as session:
        until = datetime(2026, 10, 25, 1, 30, 20, tzinfo=UTC)
        event_id = add_event(session, date=second, answers_until=until).id
    save(replace(reopened(event_id), title="Autre titre", speakers=TYPED.speakers))
    assert (stored(event_id).date, stored(event_id).answers_until) == (second, until)


def test_a_month_that_is_taken_is_refused_by_name_before_and_by_the_database_after(club: str) -> None:
    save(TYPED)
    with reading() as session:
        assert events.month_refusal(session, HELENE, "2027-01-31T12:00") == (
            "Un événement existe déjà pour janvier 2027. Vous ne pouvez créer qu'un événement par mois."
        )
        assert events.month_refusal(session, HELENE, "2027-02-01T00:00") == ""
        with pytest.raises(Invalid):
            events.month_refusal(session, HELENE, "hier")
    with pytest.raises(Conflict) as refused:
        save(replace(TYPED, title="Une autre"))
    assert refused.value.text == (
        "Un événement existe déjà pour ce mois. Vous ne pouvez créer qu'un événement par mois."
    )


def test_an_event_cannot_move_or_come_back_into_a_taken_month(club: str) -> None:
    save(TYPED)
    february = save(replace(TYPED, date="2027-02-11T12:00"))
    cancelled = save(replace(TYPED, status="cancelled"))
    for typed in (
        replace(reopened(february), date="2027-01-20T12:00"),
        replace(reopened(cancelled), status="confirmed"),
    ):
        with pytest.raises(Conflict, match="Un événement existe déjà pour ce mois"):
            save(typed)
    assert stored(february).month == "2027-02"
    assert len(reopened(february).speakers) == 1


def test_the_month_is_that_of_paris(club: str) -> None:
    july = save(replace(TYPED, date="2027-07-01T00:30"))  # still June in UTC
    assert stored(july).date == datetime(2027, 6, 30, 22, 30, tzinfo=UTC)
    save(replace(TYPED, date="2027-06-30T23:30"))
    with pytest.raises(Conflict):
        save(replace(TYPED, date="2027-07-31T12:00"))


def test_of_two_people_creating_in_a_month_at_once_one_is_told_no(club: str) -> None:
    outcomes: list[str] = []
    gate = threading.Barrier(2)

    def create() -> None:
        gate.wait()
        try:
            save(TYPED)
            outcomes.append("made")
        except Conflict:
            outcomes.append("refused")

    people = [threading.Thread(target=create) for _ in range(2)]
    for person in people:
        person.start()
    for person in people:
        person.join()
    assert sorted(outcomes) == ["made", "refused"]


def test_a_save_over_someone_elses_is_refused_then_knowingly_replaces_it(
    club: str, november: Callable[..., datetime]
) -> None:
    event_id = save(TYPED)
    mine = replace(reopened(event_id), title="Le mien")
    november("2026-11-20T10:05")
    save(replace(reopened(event_id), title="Le sien"))
    with pytest.raises(events.Stale, match="modifié par une autre personne") as refused:
        save(mine)
    assert stored(event_id).title == "Le sien"
    save(replace(mine, seen=refused.value.seen))
    assert stored(event_id).title == "Le mien"


def test_a_deleted_event_can_no_longer_be_saved_shown_or_deleted(club: str) -> None:
    event_id = save(TYPED)
    mine = reopened(event_id)
    with transaction() as session:
        add_reservation(session, events.find(session, event_id), add_member(session))
    with transaction() as session:
        events.delete(session, HELENE, event_id)
    with pytest.raises(NotFound):
        save(mine)
    for act in (events.delete, events.form, event_views.detail):
        with pytest.raises(NotFound), transaction() as session:
            act(session, HELENE, event_id)
    with reading() as session:
        assert session.exec(select(EventSpeaker)).all() == []
        assert events.month_refusal(session, HELENE, TYPED.date) == ""


def test_the_calendar_shows_every_event_three_hours_long_on_the_clubs_clock(club: str) -> None:
    save(replace(TYPED, date="2027-03-27T23:30", status="cancelled"))
    with reading() as session:
        (entry,) = event_views.calendar(session, HELENE)
    assert (entry.start, entry.status, entry.status_label) == ("2027-03-27T23:30", "cancelled", "Annulé")
    assert entry.end == "2027-03-28T03:30"  # three hours, over the hour that does not exist


def test_the_upcoming_list_holds_future_events_that_are_not_cancelled(club: str) -> None:
    with transaction() as session:
        add_event(session, title="Passé", date=clock.now() - timedelta(minutes=1))
        add_event(session, title="Annulé", status="cancelled")
    save(replace(TYPED, speakers=(SpeakerForm("Zoé Fauconnier"), SpeakerForm("Éric Lemoine"))))
    with reading() as session:
        (row,) = event_views.upcoming(session, HELENE)
    assert (row.title, row.date, row.location) == ("Matinale d'hiver", "jeudi 14 janvier 2027 à 12:00", "Valenciennes")
    assert row.speakers == "Zoé Fauconnier, Éric Lemoine"


def test_the_detail_counts_the_answers_and_is_all_zero_without_any(club: str) -> None:
    event_id = save(replace(TYPED, max_participants="44"))
    with reading() as session:
        shown = event_views.detail(session, HELENE, event_id)
    assert shown.stats == event_views.Figures()
    assert (shown.capacity, shown.can_send) == ("0 / 44 participants", True)
    with transaction() as session:
        event = events.find(session, event_id)
        yes = {"will_attend": True, "with_lunch": True, "guest_count": 2}
        add_reservation(session, event, add_member(session), **yes)
        add_reservation(session, event, add_member(session, "Éric", "eric@lemoine.example"), will_attend=False)
    with reading() as session:
        shown = event_views.detail(session, HELENE, event_id)
    assert shown.stats == event_views.Figures(2, 1, 1, 0, 1, 2)
    assert shown.capacity == "1 / 44 participants"


@pytest.mark.parametrize(("status", "sent", "offered"), [
    ("draft", False, True), ("draft", True, False), ("confirmed", False, False), ("cancelled", False, False),
])  # fmt: skip
def test_the_dialog_offers_sending_for_an_unsent_draft(club: str, status: str, sent: bool, offered: bool) -> None:
    with transaction() as session:
        event_id = add_event(session, status=status, invitation_sent=sent).id
    with reading() as session:
        assert event_views.detail(session, HELENE, event_id).can_send is offered


def test_deleting_says_what_goes_along_and_nothing_when_nobody_was_invited(club: str) -> None:
    event_id = save(TYPED)
    with transaction() as session:
        event = events.find(session, event_id)
        assert events.deletion(session, HELENE, event_id).loss == ""
        add_reservation(session, event, add_member(session), will_attend=False)
        assert events.deletion(session, HELENE, event_id).loss.startswith("1 réponse et 1 invitation ")
        add_reservation(session, event, add_member(session, "Éric", "eric@lemoine.example"))
        assert events.deletion(session, HELENE, event_id).loss.startswith("1 réponse et 2 invitations ")


def test_every_change_of_date_place_or_status_raises_the_sequence_and_nothing_else_does(club: str) -> None:
    event_id = save(TYPED)
    for number, changed in enumerate(
        ({"date": "2027-01-15T12:00"}, {"location": "Douai"}, {"address": "3 rue"}, {"status": "confirmed"}), start=1
    ):
        save(replace(reopened(event_id), **changed))  # pyright: ignore[reportArgumentType]
        assert stored(event_id).sequence == number
    save(replace(reopened(event_id), title="Autre", description="Autre", max_participants="9", has_lunch=False))
    assert stored(event_id).sequence == 4


def test_a_raised_limit_offers_the_places_to_those_who_wait(club: str) -> None:
    event_id = save(replace(TYPED, max_participants="1"))
    with transaction() as session:
        event = events.find(session, event_id)
        add_reservation(session, event, add_member(session), will_attend=True)
        waits = {"will_attend": True, "waiting_since": clock.now(), "waiting_rank": 1}
        add_reservation(session, event, add_member(session, "Éric", "eric@lemoine.example"), **waits)
    save(replace(reopened(event_id), title="Sans place de plus"))
    assert offers(event_id) == 0
    save(replace(reopened(event_id), max_participants="2"))
    assert offers(event_id) == 1


def offers(event_id: str) -> int:
    with reading() as session:
        rows = session.exec(select(EventReservation).where(EventReservation.event_id == event_id))
        return sum(row.offer_until is not None for row in rows)


def test_the_reminders_follow_the_event(club: str) -> None:
    event_id = save(replace(TYPED, status="confirmed"))
    first = due(event_id)
    assert first
    save(replace(reopened(event_id), date="2027-01-21T12:00"))
    assert due(event_id) == [moment + timedelta(days=7) for moment in first]
    save(replace(reopened(event_id), status="cancelled"))
    assert due(event_id) == []


def due(event_id: str) -> list[datetime]:
    with reading() as session:
        rows = session.exec(select(PlannedMailing).where(PlannedMailing.event_id == event_id))
        return sorted(row.due_at for row in rows if row.state == PlannedState.PLANNED)
