"""What an administrator finds on opening the day: what waits, what leaves, what came in; with how many statements."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from sqlmodel import Session, col, delete, select

from clubapp import clock, routes
from clubapp.database import reading, transaction
from clubapp.models import (
    Arrival,
    CompetitionTask,
    Event,
    MailState,
    Member,
    OutboxMail,
    PlannedMailing,
    PlannedState,
    ReminderType,
    ReservationAnswer,
    RightsRequest,
)
from clubapp.refusals import Forbidden
from clubapp.services.access import administrators
from clubapp.services.base.actors import VISITOR, Actor
from clubapp.services.events import mailing_schedule
from clubapp.services.events.stages import DAY_TAB
from clubapp.services.members import editing
from clubapp.services.privacy import rights_requests
from clubapp.services.reminders.settings import default_setting
from clubapp.services.today import day, news
from clubapp.services.today.day import Day
from clubapp.services.today.todo_list import Task
from tests.factories import add_admin, add_event, add_member, add_reservation
from tests.statements import counted

HELENE = Actor("helene@beffroi.example", is_admin=True, session_id="s")
At = Callable[[str], object]


@pytest.fixture
def helene(club: str, at: At) -> None:
    """An administrator and a member; it is the morning of 2 December 2026."""
    at("2026-12-02T09:00")
    with transaction() as session:
        add_admin(session, HELENE.email)
        add_member(session, "Toujours Là", "la@x.example", image_url="/media/x.jpg")


def open_day(health: Task | None = None) -> Day:
    with transaction() as session:
        return day.open_day(session, HELENE, health)


def add_people(session: Session, count: int, **given: object) -> list[Member]:
    """Members with a photograph, so that nothing is to be done about them."""
    given = {"image_url": "/media/x.jpg"} | given
    start = len(given) * 1000 + int(clock.now().timestamp()) % 7
    return [
        add_member(session, f"Membre {start + n}", f"m{start + n}-{count}@x.example", **given) for n in range(count)
    ]


def add_december(session: Session, **given: object) -> str:
    """The next event, of 10 December: four are invited, and each said something else."""
    date = clock.from_local("2026-12-10T12:00")
    given = {"status": "confirmed", "invitation_sent": True, "max_participants": 5, "description": "Programme"} | given
    event = add_event(session, "Les réussites", date, **given)
    answers = (
        {"will_attend": True, "with_lunch": True, "guest_count": 1},
        {"will_attend": False},
        {"will_attend": True, "waiting_since": clock.now()},
        {},
    )
    for member, answer in zip(add_people(session, 4), answers, strict=True):
        add_reservation(session, event, member, **answer)
    return event.id


def kinds(found: Day) -> list[str]:
    return [task.kind for task in found.tasks]


def test_nothing_waits_in_a_club_where_all_is_done(helene: None) -> None:
    found = open_day()
    assert (found.date, found.tasks, found.leaving, found.news) == ("mercredi 2 décembre 2026", (), (), ())
    assert found.meeting.id == ""


def test_a_new_club_begins_with_its_list(helene: None) -> None:
    with transaction() as session:
        session.execute(delete(Member))
    assert [(task.kind, task.href) for task in open_day().tasks] == [("members", routes.IMPORT_MEMBERS)]


def test_the_card_tells_when_where_who_answered_and_how_far_it_is(helene: None) -> None:
    with transaction() as session:
        add_december(session)
    card = open_day().meeting
    assert (card.month, card.day, card.weekday, card.hours) == ("décembre", "10", "jeudi", "12:00 à 15:00")
    assert (card.far, card.far_hint, card.stage) == ("8 jours", "avant la rencontre", "Relancer")
    assert [(part.count, part.label) for part in card.bar] == [
        (1, "oui"), (1, "non"), (1, "en liste d’attente"), (1, "sans réponse"),
    ]  # fmt: skip
    assert (card.invited, card.places, card.meals) == ("4 membres invités", "2 / 5", "2")
    assert [stage.state for stage in card.stages] == ["done", "done", "current", "coming", "coming"]


@pytest.mark.parametrize(
    ("now", "far"),
    [("2026-12-09T22:30", "Demain"), ("2026-12-09T23:30", "Aujourd’hui"), ("2026-12-10T13:00", "Aujourd’hui")],
)
def test_days_are_those_of_the_clubs_clock(helene: None, at: At, now: str, far: str) -> None:
    with transaction() as session:
        add_december(session)
    at(now)
    assert open_day().meeting.far == far


def test_the_block_of_the_date_tells_a_year_that_is_not_this_one(helene: None) -> None:
    with transaction() as session:
        add_event(session, "Janvier", clock.from_local("2027-01-14T12:00"))
    card = open_day().meeting
    assert (card.month, card.day, card.weekday) == ("janv. 2027", "14", "jeudi")


def test_who_is_silent_is_to_be_called_and_the_line_leads_to_the_call_list(helene: None, at: At) -> None:
    with transaction() as session:
        event_id = add_december(session)
        due = clock.from_local("2026-12-07T09:00")
        session.add(
            PlannedMailing(event_id=event_id, reminder_type=ReminderType.SECOND, due_at=due, updated_at=clock.now())
        )
    at("2026-11-19T10:00")
    assert "silent" not in [each.kind for each in open_day().tasks]
    at("2026-12-02T09:00")
    found = open_day()
    first = found.tasks[0]
    assert (first.kind, first.title, first.href) == (
        "silent", "1 membre n’a rien dit pour le 10 décembre", routes.calling_list(event_id),
    )  # fmt: skip
    assert first.detail.replace("\u00a0", " ") == "3 places libres ; aucune relance à venir pour qui n’a pas répondu"
    assert [(each.day, each.hour, each.name, each.recipients) for each in found.leaving] == [
        ("lun. 7 déc.", "09:00", "2e relance", "1 membre")
    ]
    assert found.leaving[0].href.endswith("&texte=reminder_2")
    with transaction() as session:
        setting = default_setting(ReminderType.SECOND)
        setting.to_unanswered = True
        session.add(setting)
    detail = open_day().tasks[0].detail.replace("\u00a0", " ")
    assert detail == "3 places libres ; 2e relance le lun. 7 décembre à 09:00"
    for now, hour, told in (
        ("2026-12-07T08:01", "en cours d’envoi", "en cours d’envoi"),
        ("2026-12-07T09:00", "devait partir à 09:00", "devait partir le lun. 7 décembre à 09:00"),
    ):
        at(now)
        found = open_day()
        assert [each.hour.replace("\u00a0", " ") for each in found.leaving] == [hour]
        silent = next(each for each in found.tasks if each.kind == "silent")
        assert silent.detail.replace("\u00a0", " ") == f"3 places libres ; 2e relance {told}"


def test_each_thing_that_waits_has_its_line_and_faults_are_marked(helene: None, at: At) -> None:
    with transaction() as session:
        add_event(session, "Novembre", clock.from_local("2026-11-12T12:00"), status="confirmed")
        event_id = add_december(session, invitation_sent=False, description=None)
        now = clock.now()
        session.add(
            PlannedMailing(
                event_id=event_id,
                reminder_type="event_invitation",
                due_at=now,
                state=PlannedState.MISSED,
                updated_at=now,
            )
        )
        late, failed, bare = add_people(session, 3)
        failed.email_failed_at, bare.image_url = now, ""
        session.add(CompetitionTask(member_id=failed.id, other_id=bare.id, created_at=now))
        at("2026-10-20T10:00")
        rights_requests.request_right(session, Actor(str(late.email), member_id=late.id, session_id="m"), "erasure")
        at("2026-12-02T09:00")
    health = Task("health", "Santé du site", "Sauvegardes", "Voir", routes.ADMIN_HEALTH)
    found = open_day(health)
    assert kinds(found) == [
        "doors", "request", "missed", "invitations", "waiting", "text", "addresses", "health", "trades", "photographs",
    ]  # fmt: skip
    assert [task.kind for task in found.tasks if task.is_fault] == ["request", "missed", "addresses"]
    assert found.tasks[1].href == routes.ADMIN_REQUESTS
    assert "demande l’effacement de ses données" in found.tasks[1].title


def test_those_who_came_are_thanked_until_a_week_is_over(helene: None, at: At) -> None:
    with transaction() as session:
        event = add_event(session, "Novembre", clock.from_local("2026-12-01T12:00"), status="completed")
        add_reservation(session, event, session.exec(select(Member)).one(), will_attend=True)
        event_id = event.id
    found = open_day().tasks
    assert [each.title for each in found] == ["Les remerciements du 1er décembre restent à envoyer"]
    assert found[0].href == routes.write_to(evenement=event_id, reponse="oui")
    with transaction() as session:
        session.add(Arrival(event_id=event_id, person="x", arrived_at=clock.now(), created_at=clock.now()))
    assert open_day().tasks[0].detail.endswith("1 personne venue")
    at("2026-12-09T09:00")
    assert open_day().tasks == ()


def test_a_mailing_whose_date_had_gone_by_when_the_event_was_made_is_no_fault(helene: None) -> None:
    with transaction() as session:
        add_december(session)
        event = session.exec(select(Event)).one()
        event.created_at = clock.from_local("2026-12-01T10:00")
        mailing_schedule.plan_mailings(session, event)
        late = session.exec(select(PlannedMailing.reason).where(PlannedMailing.state == PlannedState.MISSED)).all()
    assert set(late) == {mailing_schedule.CREATED_AFTER}
    assert "missed" not in kinds(open_day())


def test_an_address_that_refuses_leads_to_where_it_is_corrected_and_the_others_are_counted(helene: None) -> None:
    with transaction() as session:
        now = clock.now()
        refused = add_people(session, 5)
        for minutes, member in enumerate(refused):
            member.email_failed_at = now - timedelta(minutes=minutes)
        moments: dict[str, Any] = {"available_at": now, "updated_at": now}
        for hours, state in ((2, MailState.FAILED), (1, MailState.FAILED), (0, MailState.SENT)):
            session.add(
                OutboxMail(
                    id=f"mail-{hours}",
                    key=f"{hours}",
                    kind="broadcast",
                    member_id=refused[0].id,
                    state=state,
                    created_at=now - timedelta(hours=hours),
                    **moments,
                )
            )
        names, person = [member.name for member in refused], refused[1].id
    lines = [task for task in open_day().tasks if task.kind == "addresses"]
    assert [line.title for line in lines] == [
        *(f"L’adresse de {name} refuse les messages" for name in names[:3]),
        "2 autres adresses refusent les messages",
    ]
    assert [line.href for line in lines[:2]] == [routes.correct_address("mail-1"), routes.edit_member(person)]
    assert all(line.is_fault for line in lines)


@pytest.mark.parametrize("now", ["2026-12-03T09:00", "2027-02-01T09:00"], ids=["in time", "late"])
def test_of_many_requests_the_most_urgent_have_a_line_and_the_others_are_counted(
    helene: None, at: At, now: str
) -> None:
    others = "2 autres demandes sur des données attendent", "1 autre demande sur des données attend"
    with transaction() as session:
        asking = [Actor(str(each.email), member_id=each.id, session_id="m") for each in add_people(session, 5)]
        for actor in asking:
            rights_requests.request_right(session, actor, "erasure")
    at(now)
    for told in others:
        lines = [task for task in open_day().tasks if task.kind == "request"]
        assert (len(lines), lines[-1].title, lines[-1].href) == (4, f"{told} une réponse", routes.ADMIN_REQUESTS)
        assert {line.is_fault for line in lines} == {now.startswith("2027")}
        with transaction() as session:
            first = session.exec(select(RightsRequest).where(col(RightsRequest.answered_at).is_(None)).limit(1)).one()
            first.answered_at = clock.now()


def test_records_of_inactive_members_are_proposed_after_three_years_and_stay_once_kept(helene: None, at: At) -> None:
    at("2023-11-20T10:00")
    with transaction() as session:
        old, active = add_people(session, 2)
        old.is_active = False
        late = add_member(session, "Paul Ancien", "paul@ancien.example", is_active=False, image_url="x")
        active.image_url = "x"
        old_id, late_id = old.id, late.id
    at("2026-11-20T10:00")
    assert "review" in kinds(open_day())
    (task,) = [task for task in open_day().tasks if task.kind == "review"]
    assert task.title == "2 fiches sont inactives depuis plus de trois ans"
    with transaction() as session:
        editing.keep_record(session, HELENE, old_id)
        editing.keep_record(session, HELENE, late_id)
        with pytest.raises(Forbidden):
            editing.keep_record(session, VISITOR, old_id)
    assert "review" not in kinds(open_day())
    at("2029-11-20T10:00")
    assert "review" in kinds(open_day())


def test_what_leaves_by_itself_is_not_to_be_done(helene: None) -> None:
    with transaction() as session:
        event = add_event(session, "Janvier", clock.from_local("2026-12-30T12:00"), status="confirmed", description="x")
        for number, kind in enumerate(("event_invitation", "event_reminder_1"), start=1):
            due = clock.now() + timedelta(days=number)
            session.add(PlannedMailing(event_id=event.id, reminder_type=kind, due_at=due, updated_at=clock.now()))
    found = open_day()
    assert kinds(found) == []
    assert [each.day for each in found.leaving] == ["demain"]


def test_the_numbers_leave_by_themselves_among_the_mailings(helene: None, at: At) -> None:
    with transaction() as session:
        event_id = add_december(session)
        session.get_one(Event, event_id).caterer_email = "traiteur@x.example"
        for number, day_of_december in enumerate((6, 9), start=1):
            due = clock.from_local(f"2026-12-0{day_of_december}T09:00")
            kind = f"event_reminder_{number}"
            session.add(PlannedMailing(event_id=event_id, reminder_type=kind, due_at=due, updated_at=clock.now()))
    found = [(each.day, each.hour, each.name, each.recipients, each.href) for each in open_day().leaving]
    assert [each[2] for each in found] == ["1re relance", "Nombres", "2e relance"]
    assert found[1] == ("lun. 7 déc.", "09:00", "Nombres", "traiteur", routes.event_tab(event_id, DAY_TAB))
    at("2026-12-07T08:30")
    assert "Nombres" not in [each.name for each in open_day().leaving]


def test_a_lunch_that_is_near_and_of_which_nobody_is_told_the_numbers_waits(helene: None, at: At) -> None:
    with transaction() as session:
        event_id = add_december(session)
    assert "numbers" not in kinds(open_day())
    at("2026-12-04T09:00")
    assert {task.kind: task.href for task in open_day().tasks}["numbers"] == routes.event_tab(event_id, DAY_TAB)
    with transaction() as session:
        session.get_one(Event, event_id).caterer_email = "traiteur@x.example"
    assert "numbers" not in kinds(open_day())


def test_news_are_those_since_the_visit_before_this_one(helene: None, at: At) -> None:
    with transaction() as session:
        event = add_event(session, status="confirmed", invitation_sent=True, description="x")
        (member,) = add_people(session, 1)
        row, _ = add_reservation(session, event, member, will_attend=True)

    def answer(moment: str, via: str = "link", *, is_waiting: bool = False) -> None:
        at(moment)
        with transaction() as session:
            said = {"will_attend": True, "via": via, "is_waiting": is_waiting}
            session.add(ReservationAnswer(reservation_id=row.id, at=clock.now(), **said))

    answer("2026-12-02T09:00")
    at("2026-12-02T09:01")
    assert (open_day().news_count, open_day().since) == (1, "")  # a first visit
    answer("2026-12-03T08:00", via="phone")
    answer("2026-12-03T08:12")
    for moment in ("2026-12-03T10:00", "2026-12-03T10:20"):  # the same visit, looked at again
        at(moment)
        found = open_day()
        assert (found.news_count, found.news[0].text, found.news[0].when) == (1, "vient", "09:12")
        assert found.since.replace("\u00a0", " ") == "Depuis le mer. 2 décembre à 10:01"
    at("2026-12-04T10:00")
    assert open_day().news == ()
    answer("2026-12-05T09:00", is_waiting=True)
    at("2026-12-05T10:00")
    # What was done then, and stays true of whoever has had a place since.
    assert [each.text for each in open_day().news] == ["a rejoint la liste d’attente"]


def test_all_that_came_in_is_shown_where_it_is_counted(helene: None) -> None:
    with transaction() as session:
        event = add_event(session, status="confirmed", invitation_sent=True, description="x")
        for member in add_people(session, 9):
            row, _ = add_reservation(session, event, member, will_attend=True)
            session.add(ReservationAnswer(reservation_id=row.id, at=clock.now(), will_attend=True, via="link"))
    at_first = open_day()
    assert (len(at_first.news), at_first.news_count, at_first.news_more) == (6, 9, "Tout voir, 9 nouvelles")
    with transaction() as session:
        unfolded = day.open_day(session, HELENE, most_news=news.MOST_UNFOLDED)
    assert (len(unfolded.news), unfolded.news_more) == (9, "")


def test_on_the_day_the_entrance_comes_first(helene: None, at: At) -> None:
    with transaction() as session:
        add_event(session, "Novembre", clock.from_local("2026-11-12T12:00"), status="confirmed")
        event_id = add_december(session)
    assert "receive" not in kinds(open_day())
    at("2026-12-10T08:00")
    first = open_day().tasks[0]
    assert (first.title, first.detail.replace("\u00a0", " ")) == (
        "La rencontre d’aujourd’hui commence à 12:00", "Les réussites : 2 personnes attendues",
    )  # fmt: skip
    assert (first.action, first.href, first.is_document) == ("Ouvrir l’accueil", routes.arrivals(event_id), True)
    at("2026-12-10T12:30")
    with transaction() as session:
        session.add(Arrival(event_id=event_id, person="x", arrived_at=clock.now(), created_at=clock.now()))
    assert open_day().tasks[0].detail.replace("\u00a0", " ") == "Les réussites : 1 personne arrivée"
    assert open_day().tasks[0].title == "La rencontre d’aujourd’hui a commencé à 12:00"
    at("2026-12-10T16:00")
    assert "receive" not in kinds(open_day())


def test_a_large_club_asks_no_more_of_the_database_than_a_small_one(helene: None) -> None:
    with transaction() as session:
        event_id = add_december(session)

    def count() -> int:
        with transaction() as session, counted() as statements:
            day.open_day(session, HELENE)
        return len(statements)

    count()  # the first visit is noted
    few = count()
    with transaction() as session:
        now = clock.now()
        for number in range(300):
            member = add_member(session, f"Nouveau {number}", f"n{number}@x.example", email_failed_at=now)
            event = session.get_one(Event, event_id)
            add_reservation(session, event, member)
    assert count() == few <= 20


def test_nobody_else_opens_the_day(helene: None) -> None:
    with reading() as session:
        for person in (VISITOR, Actor("marie@durand.example", member_id="m", session_id="m")):
            with pytest.raises(Forbidden):
                day.open_day(session, person)
            with pytest.raises(Forbidden):
                administrators.choose_start_page(session, person, True)
