"""A lunch that is added to an event after people have answered: nobody was asked for it yet.

Without lunch an answer is complete with "no lunch", which nobody has said (`recording`). A "Yes" to lunch was said
while there was one, and stands. Guests follow the member's choice, unless theirs was named.
"""

from sqlalchemy import update
from sqlmodel import Session, col

from clubapp import clock
from clubapp.models import EventReservation


def ask_for_lunch(session: Session, event_id: str) -> None:
    """Leave the lunch choice open of everybody who comes without one. The caller's transaction holds the event."""
    without = (
        col(EventReservation.event_id) == event_id,
        col(EventReservation.will_attend).is_(True),
        col(EventReservation.with_lunch).is_(False),
    )
    session.execute(update(EventReservation).where(*without).values(with_lunch=None, updated_at=clock.now()))
