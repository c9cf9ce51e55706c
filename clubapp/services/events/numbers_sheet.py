"""The numbers of an event on paper, as they are now, without any name: for whoever cooks, also on the day."""

from sqlmodel import Session

from clubapp import clock
from clubapp.mail.messages.announcement.letters import (
    describe_undecided,
    draw_numbers,
    find_last_announcement,
    list_numbers,
)
from clubapp.models import EventAnnouncement
from clubapp.services.attendance.meals import count_undecided
from clubapp.services.attendance.people import list_expected
from clubapp.services.base import table_files
from clubapp.services.base.actors import Actor, require_fresh_admin
from clubapp.services.base.table_files import PDF, Download
from clubapp.services.events.announcement import count_numbers
from clubapp.services.events.editing import find_event


def numbers_pdf(session: Session, actor: Actor, event_id: str) -> Download:
    """The numbers of this moment, each beside the one that was told last.

    Raises:
        NotFound: when the event was deleted.
    """
    require_fresh_admin(actor)
    event = find_event(session, event_id)
    people = list_expected(session, event_id)
    numbers = count_numbers(people, has_lunch=event.has_lunch)
    now = EventAnnouncement(event_id=event.id, number=0, at=clock.now(), **vars(numbers))
    lines = list_numbers(event, now, find_last_announcement(session, event_id))
    content = draw_numbers(event, now.at, lines, undecided=describe_undecided(event, count_undecided(people)))
    name = table_files.make_file_name("nombres", event.title, clock.to_form(event.date)[:10], extension="pdf")
    return Download(name, PDF, content)
