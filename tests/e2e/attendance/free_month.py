"""A meeting that is near: the events of the fictional club make way for it."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from sqlmodel import col, or_, select

from clubapp import clock
from clubapp.database import transaction
from clubapp.models import Event, EventStatus
from tests.e2e.invitation_steps import database_of
from tests.e2e.site import Site


@contextmanager
def free_month(site: Site, date: datetime) -> Iterator[None]:
    """Nothing else takes place in the month of a day, or before that day, for as long as the block lasts.

    What is made in the block is to be deleted in it, once no page shows it: an event that goes while its page is open
    is a 404 of that page.
    """
    sooner = (col(Event.date) > clock.now()) & (col(Event.date) <= date)
    with database_of(site), transaction() as session:
        in_the_way = select(Event).where(
            or_(Event.month == clock.month_of(date), sooner), Event.status != EventStatus.CANCELLED
        )
        kept: dict[str, EventStatus] = {}
        for event in session.exec(in_the_way):
            kept[event.id] = EventStatus(event.status)
            event.status = EventStatus.CANCELLED
    yield
    with database_of(site), transaction() as session:
        for event in session.exec(select(Event).where(col(Event.id).in_(kept))):
            event.status = kept[event.id]
