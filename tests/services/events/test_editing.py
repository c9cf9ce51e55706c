"""Events: who may, what is refused, and what a save does and does not change."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlmodel import Session, select

from clubapp import calendar_files, clock
from clubapp.database import reading, transaction
from clubapp.models import Act, Event, EventSpeaker, ReminderType
from clubapp.refusals import Forbidden, NotFound, ProofRequired
from clubapp.services.base.actors import VISITOR, Actor
from clubapp.services.base.edit_conflicts import TextChanged
from clubapp.services.base.form_fields import InvalidForm
from clubapp.services.events import admin_views, duplication, editing
from clubapp.services.events.form import EventForm, SpeakerForm
from tests.factories import add_event, add_member, add_reservation
from tests.services.events.event_forms import HELENE, TYPED, reopened, save, stored
from tests.services.events.planned_mailings import setting

pytestmark = pytest.mark.usefixtures("in_november_2026")


MARIE = Actor(email="marie@durand.example", member_id="m", session_id="t")
ACTS: list[Callable[[Session, Actor, str], Any]] = [
    lambda session, actor, event_id: editing.save(session, actor, TYPED),
    lambda session, actor, event_id: editing.save(session, actor, replace(TYPED, id=event_id)),
    editing.delete,
    editing.preview_deletion,
    editing.open_form,
    editing.open_confirmation,
    duplication.duplicate,
    lambda session, actor, event_id: admin_views.list_speaker_candidates(session, actor),
    lambda session, actor, event_id: editing.find_month_conflict(session, actor, "2027-01-14T12:00"),
    admin_views.read_detail,
    lambda session, actor, event_id: admin_views.list_calendar(session, actor),
    lambda session, actor, event_id: admin_views.list_upcoming_events(session, actor),
]


def test_a_draft_that_is_read_once_more_and_saved_is_confirmed(club: str) -> None:
    event_id = save(TYPED)
    with reading() as session:
        form = editing.open_confirmation(session, HELENE, event_id)
    assert stored(event_id).status == "draft"
    save(form)
    assert stored(event_id).status == "confirmed"
    off = save(replace(reopened(event_id), status="cancelled"))
    with reading() as session:
        assert editing.open_confirmation(session, HELENE, off).status == "cancelled"


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
        assert [entry.action for entry in session.exec(select(Act))] == ["event.created"]


@pytest.mark.parametrize(
    ("wrong", "field", "sentence"),
    [
        ({"title": "  "}, "title", "Indiquez le titre de l’événement."),
        ({"title": "x" * 201}, "title", "200 caractères au maximum."),
        ({"date": ""}, "date", "Indiquez la date et l’heure de l’événement."),
        ({"date": "demain"}, "date", "Indiquez une date et une heure valides."),
        ({"date": "2027-02-30T12:00"}, "date", "Indiquez une date et une heure valides."),
        ({"date": "0001-01-01T00:00"}, "date", "Indiquez une année entre 2000 et 2100."),
        ({"date": "2027-03-28T02:30"}, "date", clock.NON_EXISTENT),
        ({"status": ""}, "status", "Choisissez le statut de l’événement."),
        ({"status": "published"}, "status", "Choisissez le statut de l’événement."),
        ({"location": ""}, "location", "Indiquez le lieu de l’événement."),
        ({"max_participants": "0"}, "max_participants", "à partir de 1"),
        ({"max_participants": "-3"}, "max_participants", "à partir de 1"),
        ({"max_participants": "12,5"}, "max_participants", "à partir de 1"),
        ({"max_participants": "9" * 40}, "max_participants", "à partir de 1"),
        ({"max_participants": "1".rjust(12, "0") + "9" * 9}, "max_participants", "à partir de 1"),
        ({"description": "x" * 10_001}, "description", "trop long"),
        ({"answers_until": "2027-01-14T12:00"}, "answers_until", "doit précéder l’événement"),
        ({"answers_until": "2026-03-29T02:30"}, "answers_until", clock.NON_EXISTENT),
        ({"answers_until": "bientôt"}, "answers_until", "Indiquez une date et une heure valides."),
        (
            {"speakers": (SpeakerForm("Zoé"), SpeakerForm("Éric", company="x" * 201))},
            "speaker_company",
            "Intervenant 2\u00a0: 200 caractères au maximum.",
        ),
        (
            {"speakers": (SpeakerForm("Zoé", bio="x" * 2001),)},
            "speaker_bio",
            "trop long\u00a0: 2\u00a0000 caractères au maximum.",
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
    ("typed", "end", "when", "drawn"),
    [
        ("", None, "jeudi 14 janvier 2027 à 12:00", "2027-01-14T15:00"),
        ("14:30", "2027-01-14T14:30", "jeudi 14 janvier 2027, de 12:00 à 14:30", "2027-01-14T14:30"),
        ("00:30", "2027-01-15T00:30", "jeudi 14 janvier 2027, de 12:00 à 00:30", "2027-01-15T00:30"),
    ],
)
def test_an_event_ends_when_it_says_or_after_three_hours(
    club: str, typed: str, end: str | None, when: str, drawn: str
) -> None:
    event_id = save(replace(TYPED, ends_at=typed))
    event = stored(event_id)
    assert (event.ends_at and clock.to_form(event.ends_at)) == end
    assert reopened(event_id).ends_at == typed
    with reading() as session:
        assert admin_views.read_detail(session, HELENE, event_id).date == when
        (item,) = admin_views.list_calendar(session, HELENE, "2027-01")
        file = calendar_files.write_file(calendar_files.make_entry(editing.find_event(session, event_id)))
    assert item.end == drawn
    assert f"DTEND;TZID=Europe/Paris:{drawn.replace('-', '').replace(':', '')}00".encode() in file


def test_a_new_end_replaces_the_entry_in_calendars(club: str) -> None:
    event_id = save(TYPED)
    save(replace(reopened(event_id), ends_at="14:30"))
    assert stored(event_id).sequence == 1
    save(replace(reopened(event_id), description="Autre chose"))
    assert stored(event_id).sequence == 1
    save(replace(reopened(event_id), ends_at="15:00", location="Lens"))
    assert stored(event_id).sequence == 2


def test_an_end_that_is_no_hour_is_refused(club: str) -> None:
    with pytest.raises(InvalidForm) as refusal:
        save(replace(TYPED, ends_at="25:00"))
    assert refusal.value.errors == {"ends_at": "Indiquez une heure valide, par exemple 14:30."}


@pytest.mark.parametrize("end", ["12:00", "11:00", "06:01"])
def test_an_end_before_the_start_is_refused_unless_it_is_in_the_night(club: str, end: str) -> None:
    with pytest.raises(InvalidForm) as refusal:
        save(replace(TYPED, ends_at=end))
    assert refusal.value.errors == {
        "ends_at": "L’heure de fin doit suivre celle du début. Un événement finit au plus tard à 06:00 le lendemain."
    }


@pytest.mark.parametrize(
    "moment", ["2027-01-14T12:00", "2027-03-28T03:30", "2027-03-28T01:59", "2027-10-31T02:30", "2026-12-31T23:59"]
)
def test_saving_ten_times_unchanged_changes_nothing(club: str, moment: str, at: Callable[[str], datetime]) -> None:
    typed = replace(TYPED, date=moment, max_participants="30", has_lunch=False, answers_until="2026-10-25T02:30")
    event_id = save(typed)
    first, first_event = reopened(event_id), stored(event_id)
    for minute in range(10):
        at(f"2026-11-20T11:{minute:02}")
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


def test_a_save_over_someone_elses_is_refused_then_knowingly_replaces_it(
    club: str, at: Callable[[str], datetime]
) -> None:
    event_id = save(TYPED)
    mine = replace(reopened(event_id), title="Le mien")
    at("2026-11-20T10:05")
    save(replace(reopened(event_id), title="Le sien"))
    with pytest.raises(TextChanged, match="modifié par une autre personne") as refused:
        save(mine)
    assert stored(event_id).title == "Le sien"
    save(replace(mine, seen=refused.value.seen))
    assert stored(event_id).title == "Le mien"


def test_a_deleted_event_can_no_longer_be_saved_shown_or_deleted(club: str) -> None:
    event_id = save(TYPED)
    mine = reopened(event_id)
    with transaction() as session:
        add_reservation(session, editing.find_event(session, event_id), add_member(session))
    with transaction() as session:
        editing.delete(session, HELENE, event_id)
    with pytest.raises(NotFound):
        save(mine)
    for act in (editing.delete, editing.open_form, admin_views.read_detail):
        with pytest.raises(NotFound), transaction() as session:
            act(session, HELENE, event_id)
    with reading() as session:
        assert session.exec(select(EventSpeaker)).all() == []
        assert editing.find_month_conflict(session, HELENE, TYPED.date).text == ""


def test_deleting_says_what_goes_along_and_nothing_when_nobody_was_invited(club: str) -> None:
    event_id = save(TYPED)
    with transaction() as session:
        event = editing.find_event(session, event_id)
        assert editing.preview_deletion(session, HELENE, event_id).loss == ""
        add_reservation(session, event, add_member(session), will_attend=False)
        assert editing.preview_deletion(session, HELENE, event_id).loss.startswith("1 réponse et 1 invitation ")
        add_reservation(session, event, add_member(session, "Éric", "eric@lemoine.example"))
        assert editing.preview_deletion(session, HELENE, event_id).loss.startswith("1 réponse et 2 invitations ")


def save_unproven(event_id: str = "", **changed: Any) -> str:
    typed = replace(reopened(event_id) if event_id else TYPED, **changed)
    with transaction() as session:
        return editing.save(session, replace(HELENE, needs_proof=True), typed, False).id


OTHER_WORDS = {
    "title": "Un autre titre",
    "description": "Un texte à soi.",
    "date": "2027-01-21T12:00",
    "speakers": (SpeakerForm("Zoé", bio="Un texte à soi."),),
}


@pytest.mark.parametrize("name", OTHER_WORDS)
def test_what_an_automatic_invitation_will_carry_needs_a_recent_proof(
    club: str, at: Callable[[str], datetime], name: str
) -> None:
    """A mail to all members is a mailing like others, whenever it leaves (S13)."""
    at("2026-11-20T10:00")
    setting(ReminderType.INVITATION, days_before=30, is_active=True)
    with pytest.raises(ProofRequired):
        save_unproven()
    event_id = save(TYPED)
    with pytest.raises(ProofRequired):
        save_unproven(event_id, **{name: OTHER_WORDS[name]})
    save_unproven(event_id, max_participants="30")
    save_unproven(event_id, status="cancelled")


def test_an_event_that_mails_nobody_by_itself_needs_no_proof(club: str, at: Callable[[str], datetime]) -> None:
    at("2026-11-20T10:00")
    save_unproven(save_unproven(), **OTHER_WORDS)
