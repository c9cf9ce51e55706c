"""A new event as a copy of another."""

import calendar
from dataclasses import replace
from datetime import datetime, timedelta

from sqlmodel import Session, select

from clubapp import clock
from clubapp.models import Event, EventStatus
from clubapp.services.base.actors import Actor
from clubapp.services.events import editing
from clubapp.services.events.form import EventForm

_TEXT = "%Y-%m-%dT%H:%M"


def duplicate(session: Session, actor: Actor, event_id: str) -> EventForm:
    """The form of a draft copied from an event, in the next free month: same hour, same weekday of the month.

    The deadline for answers keeps its distance to the event; one that would be past is left out.

    Raises:
        NotFound: when it was deleted.
    """
    typed = editing.open_form(session, actor, event_id)
    old = datetime.strptime(typed.date, _TEXT)  # noqa: DTZ007 - the club's wall clock
    new = _next_free(session, old)
    return replace(
        typed,
        id="",
        seen="",
        copy_of=event_id,
        status=EventStatus.DRAFT.value,
        date=new.strftime(_TEXT),
        answers_until=_deadline(typed.answers_until, new - old),
    )


def _deadline(text: str, later: timedelta) -> str:
    moved = (datetime.strptime(text, _TEXT) + later) if text else None  # noqa: DTZ007 - the club's wall clock
    return moved.strftime(_TEXT) if moved and moved > _now() else ""


def _now() -> datetime:
    return clock.to_local(clock.now()).replace(tzinfo=None)


def _next_free(session: Session, old: datetime) -> datetime:
    taken = set(session.exec(select(Event.month).where(Event.status != EventStatus.CANCELLED)))
    now = _now()
    months = old.year * 12 + old.month  # the next month, counted from year 0
    while True:
        found = _same_weekday(old, *divmod(months, 12))
        if found > now and found.strftime("%Y-%m") not in taken:
            return found
        months += 1


def _same_weekday(old: datetime, year: int, months: int) -> datetime:
    """The same weekday of the month, for example the second Thursday; a fifth one becomes the last."""
    month = months + 1
    first, length = calendar.monthrange(year, month)
    day = 1 + (old.weekday() - first) % 7 + (old.day - 1) // 7 * 7
    return old.replace(year=year, month=month, day=day if day <= length else day - 7)
