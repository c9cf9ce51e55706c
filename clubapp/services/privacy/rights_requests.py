"""Requests that people make about their data: asked on the site or noted by an administrator, open until answered (P2).

`request_answers` answers them.
"""

from calendar import monthrange
from dataclasses import dataclass
from datetime import UTC, datetime, time

from sqlmodel import Session, col, func, select

from clubapp import clock
from clubapp.mail.messages.account import RIGHTS_ANSWERED, RIGHTS_ASKED
from clubapp.mail.queue import outbox
from clubapp.models import Admin, Member, RequestOutcome, Right, RightsRequest
from clubapp.refusals import Conflict, Invalid, NotFound
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor, require_admin, require_member
from clubapp.services.base.form_fields import FormCheck

ASKED, ANSWERED = "rights.asked", "rights.answered"
LONGEST_WORDS = 2000
MOST_ANSWERED = 30
RIGHTS = {
    Right.COPY: "Copie",
    Right.CORRECTION: "Rectification",
    Right.OBJECTION: "Opposition",
    Right.ERASURE: "Effacement",
}
# What somebody does who asks: 'Marie Durand demande l’effacement de ses données'.
DOES = {
    Right.COPY: "demande une copie de ses données",
    Right.CORRECTION: "demande que ses données soient corrigées",
    Right.OBJECTION: "s’oppose à un usage de ses données",
    Right.ERASURE: "demande l’effacement de ses données",
}
OUTCOMES = {RequestOutcome.DONE: "Fait", RequestOutcome.REFUSED: "Refusé"}
ALREADY = "Votre demande est déjà chez les administrateurs du club."
ALREADY_NOTED = "Cette demande est déjà dans la liste, et attend une réponse."
WRONG_KIND = "Choisissez ce qui est demandé."
WRONG_DAY = "Indiquez le jour de la demande, aujourd’hui au plus tard."
NO_NAME = "Indiquez qui demande."
NAMELESS = "Personne effacée"
MEMBER_GOES = (
    "sa fiche, sa photo, ses sessions et le contenu de ses messages sont effacés à l’instant. Ses réponses aux "
    "rencontres passées restent comptées, sans son nom\u00a0; ses places à venir sont libérées. Si une intervention "
    "est annoncée sous son nom, elle le reste\u00a0: retirez-la d’abord."
)
GUEST_GOES = (
    "ce que des membres ont donné de la personne invitée à cette adresse e-mail est effacé à l’instant, avec ses "
    "messages. Ses venues restent comptées, sans son nom. Ce qui est ailleurs, une intervention par exemple, est à "
    "effacer d’abord."
)


@dataclass(frozen=True)
class RequestForm:
    """What an administrator notes of a letter or a call. `asked_on` is a day, such as '2026-11-20'."""

    kind: str = ""
    member_id: str = ""
    name: str = ""
    email: str = ""
    asked_on: str = ""
    words: str = ""


@dataclass(frozen=True)
class OpenRequest:
    """A request that waits: `asked` and `deadline` are days, such as 'lundi 5 mai 2025'; `does` completes the name.

    What it `erases` when it is done is told to follow 'Si c’est fait, '; empty for nothing.
    """

    id: str
    kind: str
    right: str
    does: str
    member_id: str
    name: str
    email: str
    words: str
    noted: str
    asked: str
    deadline: str
    is_late: bool
    erases: str


@dataclass(frozen=True)
class AnsweredRequest:
    """A request that was answered: `told` says by whom and when."""

    id: str
    right: str
    name: str
    outcome: str
    is_refused: bool
    told: str
    answer: str


@dataclass(frozen=True)
class OwnRequest:
    """A request as who made it reads it: `state` says how far it is."""

    id: str
    right: str
    state: str
    answer: str
    is_open: bool


def request_right(session: Session, actor: Actor, kind: str, words: str = "") -> None:
    """Send every administrator a request of the actor's.

    Raises:
        Forbidden: for anyone but a member.
        InvalidForm: for a kind that is none, or words that are too long.
        Conflict: when the same request waits for an answer.
    """
    member = session.get(Member, require_member(actor), with_for_update=True)
    if member is None:
        raise NotFound
    check = FormCheck()
    words = check.block("words", words, LONGEST_WORDS)
    right = _check_kind(check, kind)
    check.raise_errors()
    if _is_open(session, right, member.id):
        raise Conflict(ALREADY)
    asked = _make(right, clock.now(), member.name, member.email or "", words)
    _store(session, actor, asked, member.id)


def note_request(session: Session, actor: Actor, typed: RequestForm) -> None:
    """Note a request that came by letter or telephone. An address of a member, or their id, ties it to their record.

    Raises:
        Forbidden: for anyone but an administrator.
        InvalidForm: with what is wrong.
        Conflict: when the same request of a member waits for an answer.
    """
    require_admin(actor)
    check = FormCheck()
    right = _check_kind(check, typed.kind)
    name = check.required("name", check.line("name", typed.name), NO_NAME)
    email = check.email("email", typed.email, "")
    words = check.block("words", typed.words, LONGEST_WORDS)
    at = _check_day(check, typed.asked_on)
    check.raise_errors()
    member = session.get(Member, typed.member_id, with_for_update=True) if typed.member_id else None
    if member is None and email:
        member = session.exec(select(Member).where(Member.email == email)).first()
    if member and _is_open(session, right, member.id):
        raise Conflict(ALREADY_NOTED)
    asked = _make(right, at, name, email, words)
    asked.noted_by = actor.email
    _store(session, actor, asked, member.id if member else None)


def open_request_form(session: Session, actor: Actor, member_id: str = "") -> RequestForm:
    """The form of a request to note, of a member if there is one of that id."""
    require_admin(actor)
    today = clock.to_form(clock.now())[:10]
    member = session.get(Member, member_id) if member_id else None
    if member is None:
        return RequestForm(asked_on=today)
    return RequestForm(member_id=member.id, name=member.name, email=member.email or "", asked_on=today)


def list_open(session: Session, actor: Actor, member_id: str = "") -> tuple[OpenRequest, ...]:
    """The requests that wait for an answer, of all or of one member, the most urgent first."""
    require_admin(actor)
    query = select(RightsRequest).where(col(RightsRequest.answered_at).is_(None))
    if member_id:
        query = query.where(RightsRequest.member_id == member_id)
    return tuple(_describe(row) for row in session.exec(query.order_by(col(RightsRequest.due_at), RightsRequest.name)))


def list_answered(session: Session, actor: Actor) -> tuple[AnsweredRequest, ...]:
    """The last answered requests, the latest first."""
    require_admin(actor)
    query = select(RightsRequest).where(col(RightsRequest.answered_at).is_not(None))
    rows = session.exec(query.order_by(col(RightsRequest.answered_at).desc()).limit(MOST_ANSWERED))
    return tuple(
        AnsweredRequest(
            id=row.id,
            right=RIGHTS[Right(row.kind)],
            name=row.name or NAMELESS,
            outcome=OUTCOMES[RequestOutcome(row.outcome)],
            is_refused=row.outcome == RequestOutcome.REFUSED,
            told=f"{row.answered_by}, {clock.plain_day(row.answered_at or row.asked_at)}".removeprefix(", "),
            answer=row.answer,
        )
        for row in rows
    )


def list_own(session: Session, actor: Actor) -> tuple[OwnRequest, ...]:
    """What the actor asked for, the latest first."""
    query = select(RightsRequest).where(RightsRequest.member_id == require_member(actor))
    rows = session.exec(query.order_by(col(RightsRequest.asked_at).desc()).limit(MOST_ANSWERED))
    return tuple(
        OwnRequest(row.id, RIGHTS[Right(row.kind)], _tell_state(row), row.answer, row.answered_at is None)
        for row in rows
    )


def count_late(session: Session, actor: Actor) -> int:
    """How many requests wait past their deadline."""
    require_admin(actor)
    begun = datetime.combine(clock.to_local(clock.now()).date(), time.min, clock.zone()).astimezone(UTC)
    late = col(RightsRequest.answered_at).is_(None) & (col(RightsRequest.due_at) < begun)
    return session.exec(select(func.count()).select_from(RightsRequest).where(late)).one()


def close_request(session: Session, actor: Actor, row: RightsRequest, outcome: RequestOutcome, answer: str) -> bool:
    """Close a request and queue its closing mail; return whether there is an address to send it to."""
    row.outcome, row.answer, row.answered_by, row.answered_at = outcome, answer, actor.email, clock.now()
    session.add(row)
    audit.record(session, actor, ANSWERED, row.member_id or "", right=row.kind, outcome=outcome)
    if not row.email:
        return False
    outbox.queue_mail(
        session,
        kind=RIGHTS_ANSWERED,
        key=f"{RIGHTS_ANSWERED}:{row.id}",
        recipient=row.email,
        context={"request_id": row.id, "is_member": row.member_id is not None},
    )
    return True


def add_month(asked: datetime) -> datetime:
    """The same day of the next month, or its last day (RGPD, article 12.3)."""
    local = clock.to_local(asked)
    year, month = (local.year + 1, 1) if local.month == 12 else (local.year, local.month + 1)
    return local.replace(year=year, month=month, day=min(local.day, monthrange(year, month)[1]))


def _check_kind(check: FormCheck, kind: str) -> Right:
    try:
        return Right(kind)
    except ValueError:
        check.errors["kind"] = WRONG_KIND
        return Right.COPY


def _check_day(check: FormCheck, day: str) -> datetime:
    """The instant of a day that was typed: now for today, else its noon."""
    now = clock.now()
    if day == clock.to_form(now)[:10]:
        return now
    try:
        at = clock.from_local(f"{day[:10]}T12:00")
    except Invalid:
        at = None
    if at is None or at > now:
        check.errors["asked_on"] = WRONG_DAY
    return at or now


def _is_open(session: Session, right: Right, member_id: str) -> bool:
    waits = col(RightsRequest.answered_at).is_(None), RightsRequest.member_id == member_id
    return session.exec(select(RightsRequest.id).where(*waits, RightsRequest.kind == right)).first() is not None


def _make(right: Right, at: datetime, name: str, email: str, words: str) -> RightsRequest:
    return RightsRequest(kind=right, name=name, email=email, words=words, asked_at=at, due_at=add_month(at))


def _store(session: Session, actor: Actor, row: RightsRequest, member_id: str | None) -> None:
    row.member_id = member_id
    session.add(row)
    session.flush()
    audit.record(session, actor, ASKED, member_id or "", right=row.kind)
    for admin in session.exec(select(Admin.email)).all():
        if admin != row.noted_by:
            outbox.queue_mail(
                session,
                kind=RIGHTS_ASKED,
                key=f"{RIGHTS_ASKED}:{row.id}:{admin}",
                recipient=admin,
                context={"request_id": row.id},
            )


def _describe(row: RightsRequest) -> OpenRequest:
    right = Right(row.kind)
    return OpenRequest(
        id=row.id,
        kind=row.kind,
        right=RIGHTS[right],
        does=DOES[right],
        member_id=row.member_id or "",
        name=row.name,
        email=row.email,
        words=row.words,
        noted=f"Notée par {row.noted_by}" if row.noted_by else "",
        asked=clock.long_day(row.asked_at),
        deadline=clock.long_day(row.due_at),
        is_late=clock.to_local(clock.now()).date() > clock.to_local(row.due_at).date(),
        erases=_tell_erased(row) if right is Right.ERASURE else "",
    )


def _tell_erased(row: RightsRequest) -> str:
    if row.member_id:
        return MEMBER_GOES
    return GUEST_GOES if row.email else ""


def _tell_state(row: RightsRequest) -> str:
    asked = f"demandé le {clock.plain_day(row.asked_at)}"
    if row.answered_at is None:
        return f"{asked}, réponse au plus tard le {clock.plain_day(row.due_at)}"
    return f"{asked}, {OUTCOMES[RequestOutcome(row.outcome)].lower()} le {clock.plain_day(row.answered_at)}"
