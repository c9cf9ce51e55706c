"""The page of the day, as one administrator finds it."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session

from clubapp import clock, routes
from clubapp.mail.messages.invitation_and_reminders import KINDS
from clubapp.models import Admin, Event, PlannedMailing, PlannedState, ReminderType
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.events import announcement, mailing_schedule
from clubapp.services.events.mailing_schedule import Timing
from clubapp.services.events.stages import DAY_TAB
from clubapp.services.reminders.recipients import describe_members, find_recipients
from clubapp.services.reminders.upcoming_mailings import NAMES
from clubapp.services.today import news, next_meeting, todo_list
from clubapp.services.today.news import News
from clubapp.services.today.next_meeting import NO_MEETING, Coming, MeetingCard
from clubapp.services.today.todo_list import Task

MOST_LEAVING = 4
NEW_VISIT_AFTER = timedelta(minutes=30)
FIRST_LOOK_BACK = timedelta(days=7)


@dataclass(frozen=True)
class Leaving:
    """A mailing that leaves by itself, to '12 membres' if it left now; `href` leads to what it says."""

    id: str
    day: str
    hour: str
    name: str
    recipients: str
    event: str
    href: str


@dataclass(frozen=True)
class Day:
    """All of the page. `since` says from when `news` are, of which there are `news_count` in all; it is empty on a
    first visit, to which those of the last seven days are told. `news_more` labels what shows more of them.
    """

    date: str = ""
    opens_here: bool = False
    meeting: MeetingCard = NO_MEETING
    tasks: tuple[Task, ...] = ()
    leaving: tuple[Leaving, ...] = ()
    since: str = ""
    news: tuple[News, ...] = ()
    news_count: int = 0
    news_more: str = ""


def open_day(session: Session, actor: Actor, health: Task | None = None, most_news: int = news.MOST) -> Day:
    """The page, and on record that the actor has seen it: what came in is told until half an hour after they left.

    `health` is the line of the installation's state, if it is not well.
    """
    require_admin(actor)
    admin = session.get(Admin, actor.email)
    left_at = _note_visit(session, admin)
    coming = next_meeting.read_coming(session)
    found = news.list_news(session, left_at or clock.now() - FIRST_LOOK_BACK, most_news)
    return Day(
        date=clock.long_day(clock.now()),
        opens_here=admin is not None and admin.opens_today,
        meeting=next_meeting.build_card(session, coming),
        tasks=todo_list.list_tasks(session, actor, coming, health),
        leaving=_list_leaving(session, coming),
        since=f"Depuis le {clock.short_day(left_at)}" if left_at else "",
        news=found.rows,
        news_count=found.count,
        news_more=found.more_label,
    )


def _note_visit(session: Session, admin: Admin | None) -> datetime | None:
    """When the administrator's visit before this one ended; None on the first."""
    if admin is None:
        return None
    now, seen = clock.now(), admin.today_seen_at
    if seen and now - seen > NEW_VISIT_AFTER:
        admin.today_left_at = seen
    admin.today_seen_at = now
    session.add(admin)
    return admin.today_left_at


def _list_leaving(session: Session, coming: Coming) -> tuple[Leaving, ...]:
    """What leaves next by itself: not what waits for the event to be confirmed or its invitations to be sent."""
    planned = [
        (mailing, event)
        for mailing, event in coming.mailings
        if mailing.state == PlannedState.PLANNED
        and mailing_schedule.leaves_as_it_stands(event, ReminderType(mailing.reminder_type))
    ]
    timings = mailing_schedule.read_timings(session)
    mails = [(mailing.due_at, mailing, event) for mailing, event in planned[:MOST_LEAVING]]
    numbers = [(due, None, event) for due, event in announcement.list_coming(session) if due > clock.now()]
    first = sorted([*mails, *numbers], key=lambda each: each[0])[:MOST_LEAVING]
    return tuple(
        _build_leaving(session, mailing, event, timings) if mailing else _build_numbers(due, event)
        for due, mailing, event in first
    )


def _build_leaving(
    session: Session, mailing: PlannedMailing, event: Event, timings: dict[ReminderType, Timing]
) -> Leaving:
    which = ReminderType(mailing.reminder_type)
    return Leaving(
        mailing.id,
        clock.near_day(mailing.due_at),
        _describe_hour(mailing.due_at),
        NAMES[which],
        describe_members(len(find_recipients(session, event, which, timings[which]).recipients)),
        event.title,
        routes.event_texts(event.id, KINDS[which]),
    )


def _describe_hour(due: datetime) -> str:
    """'09:00'; once it is due, whether it is being sent or late."""
    hour = clock.hour(due)
    return hour if due > clock.now() else mailing_schedule.describe_due(due, f"à\u00a0{hour}")


def _build_numbers(due: datetime, event: Event) -> Leaving:
    """The numbers to the caterer and the host."""
    return Leaving(
        f"numbers-{event.id}",
        clock.near_day(due),
        clock.hour(due),
        "Nombres",
        announcement.describe_recipients(event),
        event.title,
        routes.event_tab(event.id, DAY_TAB),
    )
