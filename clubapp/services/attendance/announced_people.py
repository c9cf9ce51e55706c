"""The names that the host of an event was told, erased with the person they name."""

from sqlmodel import Session, select

from clubapp.models import EventAnnouncement


def forget_announced(session: Session, person: str) -> None:
    """Erase a person, by the id of their `Person`, and whom they bring from every announcement; the numbers stay."""
    for told in session.exec(select(EventAnnouncement)).all():
        told.people = [one for one in told.people if person not in (one["id"], one["host_id"])]
        session.add(told)
