"""The mail to a caterer or host who was told the numbers of an event: it moved, is off, is on again, or is no longer
theirs (C4, D8). They are no members: nothing is asked of them but what they prepare.

Like a change notice it keeps the facts its reader was last sent, and says what is true when it leaves (M10).
"""

from sqlmodel import Session

from clubapp import calendar_files, clock
from clubapp.mail.messages.announcement.letters import CATERER, contact_of_club
from clubapp.mail.messages.event_change import (
    DATE,
    PLACE,
    UNDONE,
    AnnouncedFacts,
    entry_from_context,
    find_before,
    is_other_day,
    name_move,
)
from clubapp.mail.messages.letter import Letter, Withdrawn
from clubapp.mail.messages.recipients_now import EVENT_GONE, EVENT_PAST
from clubapp.models import Event, EventStatus, OutboxMail

KIND = "partner_notice"
OFF, RELEASED = "off", "released"
BACK = "Elle est de nouveau prévue à cette adresse."

_HEADLINES = {OFF: "Rencontre annulée", RELEASED: "Rencontre qui ne vous concerne plus"}
_INTRODUCTIONS = {
    (OFF, True): "La rencontre pour laquelle nous vous avions annoncé un nombre de repas n’aura pas lieu.",
    (OFF, False): "La rencontre que vous deviez accueillir n’aura pas lieu.",
    (RELEASED, True): "Le repas de cette rencontre n’est plus prévu chez vous.",
    (RELEASED, False): "Cette rencontre n’est plus prévue chez vous.",
}
_NOTHING_TO_PREPARE = "Les nombres que vous avez reçus ne valent plus\u00a0: merci de ne rien préparer."
_NAMES_TO_ERASE = "Les nombres et les noms que vous avez reçus ne valent plus\u00a0: merci d’effacer la liste des noms."
_OTHER_DATE = (
    "Les nombres que vous avez reçus valaient pour l’ancienne date. "
    "Nous vous enverrons ceux de la nouvelle\u00a0; dites-nous si elle vous gêne."
)
_SAME_DATE = "Les nombres que vous avez reçus restent valables. Dites-nous si ce changement vous gêne."


def compose_partner_notice(session: Session, mail: OutboxMail) -> Letter:
    """What changed for a caterer or host, and what becomes of the numbers they were sent."""
    is_caterer = mail.context["partner"] == CATERER
    if stored := mail.context.get("event"):
        entry = entry_from_context(stored)
        return _make_final(
            OFF, is_caterer, entry.title, clock.long_date(entry.starts_at), entry.place or entry.location
        )
    event = session.get(Event, mail.event_id) if mail.event_id else None
    if event is None:
        raise Withdrawn(EVENT_GONE)
    if event.date <= clock.now():
        raise Withdrawn(EVENT_PAST)
    facts = event.title, calendar_files.when(event), calendar_files.shown_place(event)
    if mail.context.get("released"):
        if mail.recipient == (event.caterer_email if is_caterer else event.host_email):
            raise Withdrawn(BACK)
        return _make_final(RELEASED, is_caterer, *facts)
    announced = AnnouncedFacts.from_context(mail.context["told"])
    if event.status == EventStatus.CANCELLED:
        if announced.is_off:
            raise Withdrawn(UNDONE)
        return _make_final(OFF, is_caterer, *facts)
    changes = announced.changes(event)
    if not changes:
        raise Withdrawn(UNDONE)
    date_before, place_before = find_before(changes, DATE), find_before(changes, PLACE)
    headline = name_move(announced.date, event.date) if date_before else "Changement de lieu"
    return _make(
        *facts,
        headline="Finalement, la rencontre a lieu" if announced.is_off else headline,
        introduction=(
            "La rencontre que nous avions annulée aura bien lieu."
            if announced.is_off
            else "La rencontre dont nous vous avons envoyé les nombres a changé."
        ),
        consequence=_OTHER_DATE if is_other_day(announced.date, event.date) else _SAME_DATE,
        date_before=date_before,
        place_before=place_before,
    )


def _make_final(end: str, is_caterer: bool, title: str, date: str, place: str) -> Letter:
    return _make(
        title,
        date,
        place,
        headline=_HEADLINES[end],
        introduction=_INTRODUCTIONS[end, is_caterer],
        consequence=_NOTHING_TO_PREPARE if is_caterer else _NAMES_TO_ERASE,
    )


def _make(title: str, date: str, place: str, *, date_before: str = "", place_before: str = "", **said: str) -> Letter:
    return Letter(
        KIND,
        {
            "title": title,
            "date": date,
            "place": place,
            "date_before": date_before,
            "place_before": place_before,
            **said,
            **contact_of_club(),
        },
    )
