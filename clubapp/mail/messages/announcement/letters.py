"""The mails to the caterer, with numbers only, and to the host, with numbers and names; each with a PDF.

They say what was frozen, not what is true when they leave: whoever cooks has to be told one number. What changed since
is another announcement, which says the numbers before and after.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from clubapp import calendar_files, clock
from clubapp.mail.messages.event_change import DATE, PLACE, AnnouncedFacts, find_before
from clubapp.mail.messages.event_facts import facts_of
from clubapp.mail.messages.letter import Letter, Withdrawn, attach
from clubapp.mail.messages.recipients_now import require_event
from clubapp.models import Event, EventAnnouncement, MailState, OutboxMail
from clubapp.settings import settings
from clubapp.text import party, phone_numbers

CATERER, HOST = "caterer", "host"
REPLACED = "D’autres nombres ont été annoncés depuis."


@dataclass(frozen=True)
class Line:
    """One number: 'Déjeuners', '36', and, when it has changed, '34 auparavant, +2'."""

    label: str
    value: str
    change: str = ""


def compose_caterer(session: Session, mail: OutboxMail) -> Letter:
    """The numbers, without any name."""
    return _compose(session, mail, CATERER)


def compose_host(session: Session, mail: OutboxMail) -> Letter:
    """The numbers, and who comes."""
    return _compose(session, mail, HOST)


def list_numbers(event: Event, frozen: EventAnnouncement, before: EventAnnouncement | None) -> tuple[Line, ...]:
    """The numbers in their order: people, meals when there is a lunch, what was wished for."""
    counts: list[tuple[str, int, int | None]] = [
        ("Membres présents", frozen.present, before and before.present),
        ("Invités", frozen.guests, before and before.guests),
        ("Personnes en tout", frozen.present + frozen.guests, before and before.present + before.guests),
    ]
    if event.has_lunch:
        counts.append(("Déjeuners", frozen.meals, before and before.meals))
        known = {**(before.wishes if before else {}), **frozen.wishes}
        counts += [
            (f"Souhait\u00a0: {wish}", frozen.wishes.get(wish, 0), before and before.wishes.get(wish, 0))
            for wish in sorted(known)
        ]
    return tuple(Line(label, str(now), describe_change(now, was)) for label, now, was in counts)


def describe_undecided(event: Event, count: int) -> str:
    """That so many who come are in no meal, for they have not answered for lunch; empty for none."""
    if not event.has_lunch or not count:
        return ""
    return f"{party.describe_undecided(count)}\u00a0: {'leur' if count > 1 else 'son'} repas n’est pas compté."


def describe_change(now: int, was: int | None) -> str:
    """'34 auparavant, +2'; empty when nothing has changed."""
    return f"{was} auparavant, {now - was:+d}" if was is not None and was != now else ""


def find_announcement_before(session: Session, frozen: EventAnnouncement, kind: str) -> EventAnnouncement | None:
    """The announcement that this one corrects for CATERER or HOST, if any: the newest one they were told."""
    earlier = EventAnnouncement.event_id == frozen.event_id, col(EventAnnouncement.number) < frozen.number
    found = session.exec(select(EventAnnouncement).where(*earlier).order_by(col(EventAnnouncement.number).desc()))
    return next((one for one in found.all() if kind not in list_untold(session, one)), None)


def list_untold(session: Session, frozen: EventAnnouncement) -> set[str]:
    """Of CATERER and HOST those whose mail with these numbers was withdrawn before it left."""
    keys = [f"{kind}:{frozen.id}" for kind in (CATERER, HOST)]
    lost = col(OutboxMail.key).in_(keys), OutboxMail.state == MailState.WITHDRAWN
    return set(session.exec(select(OutboxMail.kind).where(*lost)))


def find_last_announcement(session: Session, event_id: str) -> EventAnnouncement | None:
    """The newest announcement of an event."""
    query = select(EventAnnouncement).where(EventAnnouncement.event_id == event_id)
    return session.exec(query.order_by(col(EventAnnouncement.number).desc()).limit(1)).first()


def list_name_changes(
    now: Sequence[Mapping[str, str]], before: Sequence[Mapping[str, str]]
) -> tuple[list[str], list[str]]:
    """The names, with their companies, that came to the list of who comes, and those that left it."""
    new, former = Counter(map(_name_line, now)), Counter(map(_name_line, before))
    return list((new - former).elements()), list((former - new).elements())


def contact_of_club() -> dict[str, str]:
    """How who is no member reaches the club, as a template's variables."""
    return {
        "contact_email": settings().contact_email,
        "contact_phone": phone_numbers.format_phone(settings().contact_phone),
        "contact_phone_href": phone_numbers.tel_link(settings().contact_phone),
    }


def _compose(session: Session, mail: OutboxMail, kind: str) -> Letter:
    event = require_event(session, mail)
    frozen = session.get(EventAnnouncement, mail.context["announcement_id"])
    if frozen is None:
        raise Withdrawn(REPLACED)
    before = find_announcement_before(session, frozen, kind)
    told = before if before is not None and getattr(before, f"{kind}_email") == mail.recipient else None
    lines = list_numbers(event, frozen, told)
    is_host = kind == HOST
    people = [_name_line(one) for one in frozen.people] if is_host else []
    new, gone = list_name_changes(frozen.people, told.people) if told and is_host else ([], [])
    undecided = describe_undecided(event, mail.context.get("undecided", 0))
    changes = AnnouncedFacts.from_context(told.facts).changes(event) if told and told.facts else ()
    context = {
        "facts": facts_of(event),
        "host": event.host,
        "lines": lines,
        "undecided": undecided,
        "people": people,
        "new": new,
        "gone": gone,
        "date_before": find_before(changes, DATE),
        "place_before": find_before(changes, PLACE),
        "counted": clock.long_date(frozen.at),
        "is_correction": told is not None,
        "are_numbers_the_same": told is not None and not any(line.change for line in lines),
        **contact_of_club(),
    }
    sheet = draw_numbers(event, frozen.at, lines, people, undecided=undecided)
    return Letter(kind, context, files=(attach("nombres.pdf", "application/pdf", sheet),))


def _name_line(one: Mapping[str, str]) -> str:
    return f"{one['name']}, {one['company']}".rstrip(", ")


def draw_numbers(
    event: Event, at: datetime, lines: Sequence[Line], people: Sequence[str] = (), *, undecided: str = ""
) -> bytes:
    """The sheet with the numbers of an instant, and who comes."""
    from clubapp.infra.pdf_sheet import PdfSheet  # its library weighs 30 MB

    sheet = PdfSheet(f"{settings().name}\u00a0: {event.title}")
    sheet.set_title(event.title)
    sheet.set_creation_date(at)
    sheet.add_page()
    sheet.paragraph("Nombres pour le traiteur et l’hôte", 10, muted=True)
    sheet.paragraph(event.title, 20, font="Heading")
    sheet.paragraph(f"{calendar_files.when(event)}, {calendar_files.shown_place(event)}", 11)
    sheet.paragraph(f"Comptés le {clock.long_date(at)}", 11, muted=True)
    sheet.ln(4)
    columns, rows = [("", 60), ("Nombre", 20)], [(one.label, one.value) for one in lines]
    if any(one.change for one in lines):
        columns, rows = [*columns, ("Changement", 60)], [(one.label, one.value, one.change) for one in lines]
    sheet.people(columns, rows, spare=0)
    if undecided:
        sheet.ln(3)
        sheet.paragraph(undecided, 11)
    if people:
        sheet.ln(6)
        sheet.people([("Qui vient", 100)], [(name,) for name in people], spare=0)
    return bytes(sheet.output())
