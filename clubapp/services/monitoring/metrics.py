"""The metrics of an installation, counted in the database and so equal in all processes."""

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from sqlalchemy import func, select, text
from sqlmodel import Session, col

from clubapp import clock
from clubapp.mail.queue import claims, outbox, pause
from clubapp.mail.queue.claims import QueueWait
from clubapp.models import Act, Admin, EventReservation, MailState, OutboxMail, SignInLink, UserSession
from clubapp.services.base.actors import Actor, require_admin

LATELY = timedelta(days=14)
MOVING = timedelta(minutes=5)
COMING, WAITING, DECLINED, UNANSWERED = "coming", "waiting", "declined", "silent"


@dataclass(frozen=True)
class Metrics:
    """Reservations by answer, messages by state, active sessions, and the state of the mail queue."""

    answers: dict[str, int] = field(default_factory=dict)
    mails: dict[str, int] = field(default_factory=dict)
    sessions: int = 0
    waiting: QueueWait = field(default_factory=QueueWait)
    is_paused: bool = False
    is_moving: bool = False
    failed_lately: int = 0
    uncertain_lately: int = 0


def read_metrics(session: Session, actor: Actor) -> Metrics:
    """The present metrics."""
    signs = read_mail_signs(session, actor)
    living = (col(UserSession.ended_at).is_(None), col(UserSession.expires_at) > clock.now())
    return replace(
        signs,
        answers=_answers(session),
        mails=outbox.count_states(session),
        sessions=session.execute(select(func.count()).select_from(UserSession).where(*living)).scalar_one(),
    )


def read_mail_signs(session: Session, actor: Actor) -> Metrics:
    """Those of the mail queue alone, which do not count all that was ever sent."""
    require_admin(actor)
    lately = outbox.count_states(session, col(OutboxMail.updated_at) > clock.now() - LATELY)
    return Metrics(
        waiting=claims.longest_wait(session),
        is_paused=pause.current_pause(session) is not None,
        is_moving=outbox.count_states(session, col(OutboxMail.updated_at) > clock.now() - MOVING)[MailState.SENT] > 0,
        failed_lately=lately[MailState.FAILED],
        uncertain_lately=lately[MailState.UNCERTAIN],
    )


def find_newest_instant(session: Session, actor: Actor) -> datetime | None:
    """The latest recorded instant; it is never in the future while the clock is right."""
    require_admin(actor)
    columns = (col(Act.at), col(OutboxMail.updated_at), col(SignInLink.created_at))
    found = (session.execute(select(func.max(column))).scalar_one() for column in columns)
    return max(filter(None, found), default=None)


def read_database_clock(session: Session, actor: Actor) -> datetime | None:
    """The time of the database server; None for SQLite, which has none of its own."""
    require_admin(actor)
    on_server = session.get_bind().dialect.name == "postgresql"
    return session.execute(text("SELECT clock_timestamp()")).scalar_one() if on_server else None


def has_administrator(session: Session, actor: Actor) -> bool:
    """Whether there is any administrator."""
    require_admin(actor)
    return session.execute(select(col(Admin.email)).limit(1)).first() is not None


def _answers(session: Session) -> dict[str, int]:
    said, waits = col(EventReservation.will_attend), col(EventReservation.waiting_since).is_not(None)
    found = {COMING: 0, WAITING: 0, DECLINED: 0, UNANSWERED: 0}
    for will_attend, is_waiting, count in session.execute(select(said, waits, func.count()).group_by(said, waits)):
        found[_answer(will_attend, is_waiting)] += count
    return found


def _answer(will_attend: bool | None, is_waiting: bool) -> str:
    if will_attend is None:
        return UNANSWERED
    return DECLINED if not will_attend else WAITING if is_waiting else COMING
