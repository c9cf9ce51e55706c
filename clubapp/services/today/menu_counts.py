"""The figures beside the entries of the administration's menu, and where its shortcuts lead."""

from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import select as select_columns
from sqlmodel import Session, col, func, select

from clubapp import clock, routes
from clubapp.models import Admin, Company, Event, MailState, Member, OutboxMail
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.monitoring.metrics import LATELY
from clubapp.services.today import next_meeting, todo_list


@dataclass(frozen=True)
class MenuCounts:
    """`tasks` are those of the page of the day, but for the installation's state, which a service does not know.

    `events` are to come, `members` active, `failures` the messages refused for good in a fortnight. `silent` have not
    answered the next event, whose page and call list the two addresses are; without one they are the events, which the
    entry of the calls does not mark as its own screen (an address with '#' is no screen's).
    """

    tasks: int = 0
    events: int = 0
    members: int = 0
    companies: int = 0
    failures: int = 0
    administrators: int = 0
    silent: int = 0
    meeting_href: str = routes.ADMIN_EVENTS
    calls_href: str = f"{routes.ADMIN_EVENTS}#"


def count_menu(session: Session, actor: Actor) -> MenuCounts:
    """All of them, in a number of statements that does not depend on the club's size."""
    require_admin(actor)
    coming = next_meeting.read_coming(session)
    tasks = len(todo_list.list_tasks(session, actor, coming))
    since = clock.now() - LATELY
    counts = select_columns(
        _count(Event, *next_meeting.is_coming()),
        _count(Member, col(Member.is_active)),
        _count(Company),
        _count(OutboxMail, col(OutboxMail.state) == MailState.FAILED, col(OutboxMail.updated_at) >= since),
        _count(Admin),
    )
    events, members, companies, failures, administrators = session.execute(counts).one()
    found = MenuCounts(tasks, events, members, companies, failures, administrators)
    if not coming.events:
        return found
    meeting = coming.events[0]
    return replace(
        found,
        silent=coming.figures.total_no_response if meeting.invitation_sent else 0,
        meeting_href=routes.admin_event(meeting.id),
        calls_href=routes.calling_list(meeting.id),
    )


def _count(table: Any, *conditions: Any) -> Any:
    return select(func.count()).select_from(table).where(*conditions).scalar_subquery()
