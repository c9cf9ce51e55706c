"""The administrators' log of all messages and their states (M9, M12).

It shows no secrets: links and codes are in no row, and of a message's context only a name is shown.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import and_, func, or_, select
from sqlmodel import Session, col

from clubapp import clock
from clubapp.mail.messages import broadcast
from clubapp.mail.messages.event_variables import describe_variables
from clubapp.mail.messages.mail_kinds import MAIL_KINDS, REPEATABLE
from clubapp.mail.queue import outbox
from clubapp.models import BroadcastEmail, Event, MailState, Member, OutboxMail
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.base.search import LONGEST_QUERY
from clubapp.text.email_addresses import split_address

PAGE = 50
# For so long what failed stands before everything else: later nobody mends it any more.
PROBLEMS_FIRST = timedelta(days=30)
NOBODY = "Adresse effacée"
# The filters in the address.
STATE, KIND, EVENT, BROADCAST, TEXT, NUMBER = "etat", "type", "evenement", "message", "q", "page"
_PAGE_NUMBER = re.compile(r"[1-9][0-9]{0,5}")
_LONGEST_ID = 36

# The states as shown, problems first; the three of a message not yet sent are shown as one.
ON_ITS_WAY = "waiting"
STATES = {
    "failed": ("Échec", "red", (MailState.FAILED,)),
    "uncertain": ("Incertain", "amber", (MailState.UNCERTAIN,)),
    ON_ITS_WAY: ("En attente", "indigo", outbox.WAITING),
    "sent": ("Envoyé", "green", (MailState.SENT,)),
    "withdrawn": ("Retiré", "neutral", (MailState.WITHDRAWN,)),
    "excluded": ("Non envoyé", "neutral", (MailState.EXCLUDED,)),
}
_SHOWN_STATE = {state.value: name for name, (_, _, states) in STATES.items() for state in states}
RESENDABLE = (MailState.FAILED, MailState.UNCERTAIN, MailState.WITHDRAWN)


@dataclass(frozen=True)
class MailLogQuery:
    """The filters of the log; empty ones do not apply."""

    state: str = ""
    kind: str = ""
    event_id: str = ""
    broadcast_id: str = ""
    text: str = ""
    page: int = 1


@dataclass(frozen=True)
class MailLogEntry:
    """One message. `words` is the relay's reply; `reason` says why it was not sent, or why that is uncertain.

    `address_parts` are the parts of the address between which a line may break.
    """

    id: str = ""
    kind: str = ""
    about: str = ""
    person: str = ""
    address: str = ""
    address_parts: tuple[str, ...] = ()
    state: str = ""
    state_label: str = ""
    tone: str = ""
    when: str = ""
    attempts: str = ""
    reason: str = ""
    words: str = ""
    can_resend: bool = False
    can_correct: bool = False
    can_settle: bool = False


@dataclass(frozen=True)
class StateCount:
    """How many messages are in a state."""

    state: str
    label: str
    count: int


@dataclass(frozen=True)
class FilterOption:
    """One value of a filter."""

    value: str
    label: str


@dataclass(frozen=True)
class MailLog:
    """One page of the matching messages; `counts` are over all states and add up to `total`.

    `only` is the subject of the broadcast whose messages these are, if one is asked for.
    """

    total: int = 0
    total_label: str = ""
    counts: tuple[StateCount, ...] = ()
    messages: tuple[MailLogEntry, ...] = ()
    page: int = 1
    pages: int = 1
    is_moving: bool = False
    only: str = ""


@dataclass(frozen=True)
class FilterOptions:
    """The values of the filters."""

    kinds: tuple[FilterOption, ...] = ()
    events: tuple[FilterOption, ...] = ()


def parse_query(typed: Mapping[str, str]) -> MailLogQuery:
    """The query that an address asks for; unknown states and kinds ask for nothing."""
    state, kind, page = typed.get(STATE, ""), typed.get(KIND, ""), typed.get(NUMBER, "")
    return MailLogQuery(
        state=state if state in STATES else "",
        kind=kind if kind in MAIL_KINDS else "",
        event_id=typed.get(EVENT, "")[:_LONGEST_ID],
        broadcast_id=typed.get(BROADCAST, "")[:_LONGEST_ID],
        text=typed.get(TEXT, "")[:LONGEST_QUERY],
        page=int(page) if _PAGE_NUMBER.fullmatch(page) else 1,
    )


def list_filter_options(session: Session, actor: Actor) -> FilterOptions:
    """The kinds and events that have messages, the latest event first."""
    require_admin(actor)
    kinds = set(session.scalars(select(col(OutboxMail.kind)).distinct()))
    with_mail = select(col(OutboxMail.event_id)).distinct()
    events = session.scalars(select(Event).where(col(Event.id).in_(with_mail)).order_by(col(Event.date).desc()))
    return FilterOptions(
        tuple(FilterOption(kind.name, kind.label) for kind in MAIL_KINDS.values() if kind.name in kinds),
        tuple(FilterOption(event.id, f"{event.title}, {clock.long_day(event.date)}") for event in events),
    )


def latest_failed(member_id: Any) -> Any:
    """Selects the id of the latest message to a member that was refused for good and can be sent again."""
    failed = select(col(OutboxMail.id)).where(
        col(OutboxMail.member_id) == member_id,
        col(OutboxMail.state) == MailState.FAILED,
        col(OutboxMail.kind).not_in(REPEATABLE),
    )
    return failed.order_by(col(OutboxMail.created_at).desc()).limit(1)


def read_page(session: Session, actor: Actor, search: MailLogQuery) -> MailLog:
    """One page of the messages that match a query: without a state, recent problems first; the latest first."""
    require_admin(actor)
    narrowed = _narrowed(search)
    found: dict[str, int] = {}
    for state, count in session.execute(
        _of_all(select(col(OutboxMail.state), func.count()), narrowed).group_by(col(OutboxMail.state))
    ):
        found[_SHOWN_STATE[state]] = found.get(_SHOWN_STATE[state], 0) + count
    total = sum(found.values())
    shown = found.get(search.state, 0) if search.state in STATES else total
    pages = max(1, -(-shown // PAGE))
    page = min(max(1, search.page), pages)
    return MailLog(
        total=total,
        total_label=f"{total} {'messages' if total > 1 else 'message'}",
        counts=tuple(StateCount(name, label, found.get(name, 0)) for name, (label, _, _) in STATES.items()),
        messages=_entries(session, search, narrowed, page),
        page=page,
        pages=pages,
        is_moving=found.get(ON_ITS_WAY, 0) > 0,
        only=_subject(session, search.broadcast_id),
    )


def _subject(session: Session, broadcast_id: str) -> str:
    found = session.get(BroadcastEmail, broadcast_id) if broadcast_id else None
    return describe_variables(found.subject) if found else ""


def read_entry(session: Session, actor: Actor, mail_id: str) -> MailLogEntry | None:
    """One message, or None when it was erased."""
    require_admin(actor)
    row = session.execute(_rows().where(col(OutboxMail.id) == mail_id)).first()
    return _entry(*row) if row else None


def list_mails_of(session: Session, actor: Actor, member_id: str, most: int) -> list[tuple[datetime, MailLogEntry]]:
    """The latest messages to a member, each with its moment."""
    require_admin(actor)
    query = _rows().where(col(OutboxMail.member_id) == member_id)
    newest = func.coalesce(col(OutboxMail.sent_at), col(OutboxMail.created_at)).desc()
    found = session.execute(query.order_by(newest, col(OutboxMail.id)).limit(most))
    return [(row[0].sent_at or row[0].created_at, _entry(*row)) for row in found]


def _entries(session: Session, search: MailLogQuery, narrowed: list[Any], page: int) -> tuple[MailLogEntry, ...]:
    first, before = (page - 1) * PAGE, page * PAGE
    if search.state in STATES:
        return _slice(session, [*narrowed, col(OutboxMail.state).in_(STATES[search.state][2])], first, before)
    is_problem = and_(
        col(OutboxMail.state).in_((MailState.FAILED, MailState.UNCERTAIN)),
        col(OutboxMail.created_at) > clock.now() - PROBLEMS_FIRST,
    )
    # Two reads instead of an order by state, for which the whole journal would be sorted.
    problems = session.execute(_of_all(select(func.count()), [*narrowed, is_problem])).scalar_one()
    return (
        *_slice(session, [*narrowed, is_problem], first, min(before, problems)),
        *_slice(session, [*narrowed, ~is_problem], max(first - problems, 0), before - problems),
    )


def _slice(session: Session, which: list[Any], first: int, before: int) -> tuple[MailLogEntry, ...]:
    """The messages from a place up to another, the latest first."""
    if before <= first:
        return ()
    newest = (col(OutboxMail.created_at).desc(), col(OutboxMail.id))
    query = _rows().where(*which).order_by(*newest).limit(before - first).offset(first)
    return tuple(_entry(*row) for row in session.execute(query))


def _rows() -> Any:
    """A message with its member, event and broadcast."""
    return _of_all(select(OutboxMail, Member, Event, col(BroadcastEmail.subject)), []).outerjoin(
        BroadcastEmail, col(OutboxMail.broadcast_id) == col(BroadcastEmail.id)
    )


def _of_all(query: Any, narrowed: list[Any]) -> Any:
    joined = (
        query.select_from(OutboxMail)
        .outerjoin(Member, col(OutboxMail.member_id) == col(Member.id))
        .outerjoin(Event, col(OutboxMail.event_id) == col(Event.id))
    )
    return joined.where(*narrowed)


def _narrowed(search: MailLogQuery) -> list[Any]:
    """The conditions of a query without its state, which the counts do not apply."""
    found: list[Any] = []
    if search.kind:
        found.append(col(OutboxMail.kind) == search.kind)
    if search.event_id:
        found.append(col(OutboxMail.event_id) == search.event_id)
    if search.broadcast_id:
        found.append(col(OutboxMail.broadcast_id) == search.broadcast_id)
        found.append(col(OutboxMail.kind) == broadcast.KIND)
    for word in search.text[:LONGEST_QUERY].split()[:5]:
        part = f"%{_escaped(word)}%"
        found.append(
            or_(*(column.ilike(part, escape="\\") for column in (col(Member.name), col(OutboxMail.recipient))))
        )
    return found


def _escaped(word: str) -> str:
    return word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def _entry(mail: OutboxMail, member: Member | None, event: Event | None, subject: str | None) -> MailLogEntry:
    name = _SHOWN_STATE[mail.state]
    label, tone, _ = STATES[name]
    is_erased = not mail.recipient and mail.state != MailState.EXCLUDED
    address = NOBODY if is_erased else mail.recipient
    can_resend = mail.state in RESENDABLE and mail.kind not in REPEATABLE and not is_erased
    return MailLogEntry(
        id=mail.id,
        kind=MAIL_KINDS[mail.kind].label if mail.kind in MAIL_KINDS else mail.kind,
        about=describe_variables(subject or "", event) or (event.title if event else ""),
        person=member.name if member else mail.context.get("name", ""),
        address=address,
        address_parts=tuple(split_address(address)),
        state=name,
        state_label=label,
        tone=tone,
        when=clock.short_date(mail.sent_at or mail.created_at),
        attempts=_attempts(mail),
        reason=describe_reason(mail),
        words=mail.relay_answer,
        can_resend=can_resend,
        can_correct=can_resend and mail.state == MailState.FAILED and member is not None,
        can_settle=mail.state == MailState.UNCERTAIN,
    )


def describe_reason(mail: OutboxMail) -> str:
    """The reason in our words; the relay's own are shown apart."""
    answer = mail.relay_answer.strip()
    if not answer or answer not in mail.reason:
        return mail.reason
    return mail.reason.replace(answer, "").rstrip(" :.\u00a0") + "."


def _attempts(mail: OutboxMail) -> str:
    if mail.state == MailState.EXCLUDED or (mail.state == MailState.SENT and mail.attempts == 1):
        return ""  # as it should be
    told = f"{mail.attempts} {'essais' if mail.attempts > 1 else 'essai'}"
    if mail.state == MailState.PENDING and mail.attempts and mail.available_at > clock.now():
        return f"{told}, prochain à {clock.hour(mail.available_at)}"
    return told
