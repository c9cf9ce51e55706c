"""What happens to an event while somebody answers for it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import text
from sqlmodel import select

from clubapp.database import transaction
from clubapp.models import Event, EventReservation, coming
from clubapp.services.answers import waiting_list
from tests.e2e.invitation_steps import Invitation, database_of

# What refuses, and what lets it be again, by engine.
REFUSING = {
    "sqlite": (
        "CREATE TRIGGER {name} BEFORE UPDATE OF {column} ON event_reservations WHEN NEW.id = '{reservation}' "
        "BEGIN SELECT RAISE(ABORT, 'disk full'); END",
        "DROP TRIGGER {name}",
    ),
    "postgresql": (
        "CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION $$disk full$$; END'; "
        "CREATE TRIGGER {name} BEFORE UPDATE OF {column} ON event_reservations FOR EACH ROW "
        "WHEN (NEW.id = '{reservation}') EXECUTE FUNCTION {name}()",
        "DROP TRIGGER {name} ON event_reservations; DROP FUNCTION {name}",
    ),
}


def change(invitation: Invitation, **fields: Any) -> None:
    """Change the event."""
    with database_of(invitation.site), transaction() as session:
        session.exec(select(Event).where(Event.id == invitation.event_id)).one().sqlmodel_update(fields)


def free_a_place(invitation: Invitation) -> None:
    """One of those who come is not expected any more."""
    with database_of(invitation.site), transaction() as session:
        other = session.exec(
            select(EventReservation).where(
                EventReservation.event_id == invitation.event_id,
                EventReservation.id != invitation.reservation_id,
                coming(),
            )
        ).first()
        assert other is not None
        other.will_attend = False
        session.flush()
        waiting_list.offer_free_places(session, invitation.event_id)


@contextmanager
def full_disk(invitation: Invitation, column: str) -> Iterator[None]:
    """The database refuses to write one column of one reservation."""
    words = {"name": f"refuse_{invitation.reservation_id.replace('-', '')}", "column": column}

    def do(which: int) -> None:
        with database_of(invitation.site), transaction() as session:
            connection = session.connection()
            wanted = REFUSING[connection.dialect.name][which]
            connection.execute(text(wanted.format(reservation=invitation.reservation_id, **words)))

    do(0)
    try:
        yield
    finally:
        do(1)
