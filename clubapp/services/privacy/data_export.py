"""Export of all data the club holds on a member, as JSON and CSV (P2)."""

import json
from collections.abc import Iterator
from datetime import datetime
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from sqlalchemy import or_
from sqlmodel import Session, SQLModel, col, select

from clubapp import clock
from clubapp.models import (
    Act,
    ActChanges,
    Arrival,
    CallAttempt,
    CompetitionDecision,
    EmailChange,
    Event,
    EventGuest,
    EventReservation,
    Factor,
    KnownBrowser,
    MailAttachment,
    Member,
    MemberNote,
    OutboxMail,
    PublicationChoice,
    ReservationAnswer,
    Right,
    RightsRequest,
    Seat,
    UserSession,
)
from clubapp.refusals import NotFound
from clubapp.services.base import audit, table_files
from clubapp.services.base.actors import Actor, require_fresh_admin, require_member
from clubapp.services.base.table_files import Download
from clubapp.settings import settings

Sections = dict[str, list[dict[str, Any]]]

NO_REQUEST = "Aucune demande de copie d’un membre n’attend à cette adresse."
_JSON = "application/json"
_HEADERS = ("Rubrique", "Numéro", "Champ", "Valeur")
# The exported columns of each table: those about the person, without hashes of secrets and technical values.
_RESERVATION = (
    "will_attend", "with_lunch", "guest_count", "meal_wish", "responded_at", "answered_via", "waiting_since",
    "created_at",
)  # fmt: skip
_GUEST = ("name", "company", "email", "with_lunch", "meal_wish")
_ANSWER = ("at", "will_attend", "with_lunch", "guest_count", "is_waiting", "via")
_MAIL = ("kind", "recipient", "state", "reason", "created_at", "sent_at")
_SESSION = ("email", "user_agent", "created_at", "expires_at", "ended_at")
_FACTOR = ("factor_type", "friendly_name", "status", "created_at", "last_used_at")
_BROWSER = ("user_agent", "first_seen_at", "last_seen_at")
_CHANGE = ("new_email", "old_email", "created_at", "confirmed_at", "voided_at", "undone_at")
_DECISION = ("verdict", "reason", "trade", "decided_at")
_NOTE = ("created_at", "text")
_REQUEST = ("kind", "asked_at", "due_at", "words", "outcome", "answer", "answered_at")
_CHOICE = ("at", "choice", "is_shown", "wording", "via")
_ACT = ("at", "action", "detail")


def export_json(session: Session, actor: Actor) -> Download:
    """The actor's data as JSON.

    Raises:
        Forbidden: for anyone but a member.
    """
    return _json(_held(session, _own_record(session, actor)))


def export_csv(session: Session, actor: Actor) -> Download:
    """The actor's data as CSV, one line for each value.

    Raises:
        Forbidden: for anyone but a member.
    """
    return _csv(_held(session, _own_record(session, actor)))


def export_requested(session: Session, actor: Actor, request_id: str) -> Download:
    """Both files in one archive, for an administrator who answers the request of a member for a copy.

    Raises:
        Forbidden: for anyone but an administrator, or without a recent proof.
        NotFound: when no request for a copy of a member's data waits under that id.
    """
    require_fresh_admin(actor)
    held = _held(session, find_requested(session, request_id))
    content = BytesIO()
    with ZipFile(content, "w", ZIP_DEFLATED) as archive:
        for file in (_json(held), _csv(held)):
            archive.writestr(file.name, file.content)
    return Download("copie-des-donnees.zip", "application/zip", content.getvalue())


def find_requested(session: Session, request_id: str) -> Member:
    """The member whose request for a copy waits.

    Raises:
        NotFound: when there is none.
    """
    row = session.get(RightsRequest, request_id)
    waits = row and row.kind == Right.COPY and row.answered_at is None
    member = session.get(Member, row.member_id) if row and waits and row.member_id else None
    if member is None:
        raise NotFound(NO_REQUEST)
    return member


def _json(held: Sections) -> Download:
    told = {"club": settings().name, "fait_le": clock.now(), **held}
    content = json.dumps(told, ensure_ascii=False, indent=2, default=_written)
    return Download("mes-donnees.json", _JSON, content.encode())


def _csv(held: Sections) -> Download:
    return Download("mes-donnees.csv", table_files.CSV, table_files.write_csv(_lines(held), _HEADERS))


def _own_record(session: Session, actor: Actor) -> Member:
    member = session.get(Member, require_member(actor))
    if member is None:
        raise NotFound
    return member


def _held(session: Session, member: Member) -> Sections:
    return {
        "profil": [member.model_dump(exclude={"directory_place"})],  # derived from the other columns
        "invitations": _reservations(session, member),
        "invites": _guests(session, member),
        "reponses": _answers(session, member),
        "appels": _calls(session, member),
        "arrivees": _arrivals(session, member),
        "tables": _seats(session, member),
        "messages": _mails(session, member),
        "sessions": _rows(session, UserSession, UserSession.email == member.email, _SESSION),
        "double_verification": _rows(session, Factor, Factor.email == member.email, _FACTOR),
        "navigateurs": _rows(session, KnownBrowser, KnownBrowser.email == member.email, _BROWSER),
        "changements_d_adresse": _rows(session, EmailChange, EmailChange.member_id == member.id, _CHANGE),
        "decisions": _rows(session, CompetitionDecision, CompetitionDecision.member_id == member.id, _DECISION),
        "choix": _rows(session, PublicationChoice, PublicationChoice.member_id == member.id, _CHOICE),
        "notes": _rows(session, MemberNote, MemberNote.member_id == member.id, _NOTE),
        "demandes": _rows(session, RightsRequest, RightsRequest.member_id == member.id, _REQUEST),
        "journal": _acts(session, member),
    }


def _rows(session: Session, table: type[SQLModel], which: Any, names: tuple[str, ...]) -> list[dict[str, Any]]:
    return [_chosen(row, names) for row in session.exec(select(table).where(which))]


def _mails(session: Session, member: Member) -> list[dict[str, Any]]:
    """The messages to them, with the names of the files they carried."""
    mails = session.exec(select(OutboxMail).where(OutboxMail.member_id == member.id)).all()
    named: dict[str, list[str]] = {}
    columns = select(MailAttachment.broadcast_id, MailAttachment.name).order_by(col(MailAttachment.position))
    sent = {mail.broadcast_id for mail in mails}
    for broadcast_id, name in session.exec(columns.where(col(MailAttachment.broadcast_id).in_(sent))):
        named.setdefault(broadcast_id, []).append(name)
    return [{**_chosen(mail, _MAIL), "fichiers": named.get(mail.broadcast_id or "", [])} for mail in mails]


def _reservations(session: Session, member: Member) -> list[dict[str, Any]]:
    query = select(EventReservation, Event).join(Event).where(EventReservation.member_id == member.id)
    rows = session.exec(query.order_by(col(Event.date)))
    return [{"event": event.title, "date": event.date, **_chosen(row, _RESERVATION)} for row, event in rows]


def _guests(session: Session, member: Member) -> list[dict[str, Any]]:
    """Whom they named."""
    query = (
        select(EventGuest, Event)
        .join(Event, col(Event.id) == col(EventGuest.event_id))
        .join(EventReservation, col(EventReservation.id) == col(EventGuest.reservation_id))
        .where(EventReservation.member_id == member.id)
    )
    rows = session.exec(query.order_by(col(Event.date), col(EventGuest.position)))
    return [{"event": event.title, "date": event.date, **_chosen(row, _GUEST)} for row, event in rows]


def _answers(session: Session, member: Member) -> list[dict[str, Any]]:
    query = (
        select(ReservationAnswer, Event)
        .join(EventReservation, col(EventReservation.id) == col(ReservationAnswer.reservation_id))
        .join(Event, col(Event.id) == col(EventReservation.event_id))
        .where(EventReservation.member_id == member.id)
    )
    rows = session.exec(query.order_by(col(ReservationAnswer.at)))
    return [{"event": event.title, **_chosen(row, _ANSWER)} for row, event in rows]


def _calls(session: Session, member: Member) -> list[dict[str, Any]]:
    """The calls of the club that did not reach them."""
    query = (
        select(CallAttempt, Event).join(Event).where(CallAttempt.member_id == member.id).order_by(col(CallAttempt.at))
    )
    return [{"event": event.title, "at": row.at} for row, event in session.exec(query)]


def _seats(session: Session, member: Member) -> list[dict[str, Any]]:
    query = select(Seat, Event).join(Event).where(Seat.person == member.id).order_by(col(Event.date))
    return [
        {"event": event.title, "date": event.date, "table": seat.table_position} for seat, event in session.exec(query)
    ]


def _arrivals(session: Session, member: Member) -> list[dict[str, Any]]:
    query = select(Arrival, Event).join(Event).where(Arrival.person == member.id).order_by(col(Event.date))
    return [{"event": event.title, "arrived_at": row.arrived_at} for row, event in session.exec(query)]


def _acts(session: Session, member: Member) -> list[dict[str, Any]]:
    """What they did, and what was done to their own record: only there with the values before and after (P1)."""
    people = audit.list_person_ids(session, member.email, member.id)
    theirs = or_(col(Act.actor_id).in_(people), col(Act.subject).in_([member.id, *people]))
    query = select(Act, ActChanges).join(ActChanges, isouter=True).where(theirs).order_by(col(Act.at), col(Act.number))
    return [
        {**_chosen(act, _ACT), "changes": changes.content if changes and act.subject == member.id else {}}
        for act, changes in session.exec(query)
    ]


def _chosen(row: SQLModel, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: getattr(row, name) for name in names}


def _lines(held: Sections) -> Iterator[tuple[str, int, str, str]]:
    for section, rows in held.items():
        for number, row in enumerate(rows, start=1):
            for name, value in row.items():
                yield section, number, name, _text(value)


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False, default=_written)
    if isinstance(value, bool):
        return "oui" if value else "non"
    return "" if value is None else _written(value) if isinstance(value, datetime) else str(value)


def _written(value: Any) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)
