"""The retention rules: what is erased automatically, and after how long (P3). Most rules are one statement."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Select, Update, delete, or_, select, update
from sqlmodel import Session, col

from clubapp import clock
from clubapp.mail.messages import answer_confirmation, event_change, welcome
from clubapp.mail.messages.account import EMAIL_CHANGE, EMAIL_CHANGED, PROFILE_CHECK, RIGHTS_ANSWERED
from clubapp.mail.messages.announcement.partner_notice import KIND as PARTNER_NOTICE
from clubapp.mail.messages.broadcast import KIND as BROADCAST
from clubapp.mail.messages.guest_notice import DECLINED as GUEST_DECLINED
from clubapp.mail.messages.guest_notice import NOTICE as GUEST_NOTICE
from clubapp.mail.messages.health import HEALTH_ALERT
from clubapp.mail.messages.invitation_and_reminders import INVITATION, REMINDER_1, REMINDER_2
from clubapp.mail.messages.sign_in import SIGN_IN_UNKNOWN
from clubapp.mail.queue import outbox
from clubapp.models import (
    Act,
    ActPerson,
    Arrival,
    ArrivalTouch,
    CallAttempt,
    EmailChange,
    Event,
    EventAnnouncement,
    EventGuest,
    EventReservation,
    FactorChallenge,
    KnownBrowser,
    MailState,
    Member,
    OutboxMail,
    PendingImport,
    RightsRequest,
    Seat,
    SignInLink,
    UserSession,
)
from clubapp.services.access import email_change, known_browsers
from clubapp.services.answers import guests
from clubapp.services.attendance import turnout
from clubapp.services.base import act_chain
from clubapp.services.mailings import attachments
from clubapp.settings import settings

LINKS = timedelta(hours=24)
IMPORTS = timedelta(hours=24)
SESSIONS = timedelta(days=30)
MAIL_CONTENT = timedelta(days=365)
# As long as a browser keeps what was typed.
UNSAVED_FILES = timedelta(days=3)
# No device that was away comes back later.
TOUCHES = timedelta(days=30)
CALLS = timedelta(days=30)
RESERVATION_NAMES = timedelta(days=2 * 365)
MEAL_WISHES = timedelta(days=30)
# Who is in no list of the club, and who asked to be in none: their address serves to write to them once.
STRANGERS = timedelta(hours=24)
REQUESTS = timedelta(days=365)
# Mails to members alone, and broadcasts: without a member, theirs was deleted.
_TO_MEMBERS = (
    INVITATION, REMINDER_1, REMINDER_2, *event_change.KINDS, answer_confirmation.CONFIRMED, answer_confirmation.WAITING,
    answer_confirmation.OFFERED, GUEST_DECLINED, welcome.KIND, EMAIL_CHANGE, EMAIL_CHANGED, PROFILE_CHECK, BROADCAST,
)  # fmt: skip
OUTDATED = "La demande de connexion a expiré."


def erase_expired(session: Session) -> None:
    """Apply every rule but that of acts."""
    now = clock.now()
    session.execute(delete(SignInLink).where(col(SignInLink.created_at) < now - LINKS))
    undoable = col(EmailChange.confirmed_at).is_not(None) & (col(EmailChange.confirmed_at) > now - email_change.UNDO)
    session.execute(delete(EmailChange).where(col(EmailChange.created_at) < now - email_change.UNDO, ~undoable))
    session.execute(delete(FactorChallenge).where(col(FactorChallenge.expires_at) < now))
    session.execute(delete(KnownBrowser).where(col(KnownBrowser.last_seen_at) < now - known_browsers.LIFETIME))
    session.execute(delete(PendingImport).where(col(PendingImport.created_at) < now - IMPORTS))
    session.execute(delete(UserSession).where(col(UserSession.expires_at) < now - SESSIONS))
    session.execute(_mail_content(now - MAIL_CONTENT))
    session.execute(_mails_of_deleted_members())
    session.execute(_mail_keys())
    session.execute(_outdated_refusals(now - STRANGERS))
    session.execute(_strangers(now - STRANGERS))
    session.execute(_requests(now - REQUESTS))
    attachments.erase_left(session, now - UNSAVED_FILES, now - MAIL_CONTENT)
    session.execute(delete(ArrivalTouch).where(col(ArrivalTouch.event_id).in_(_events_before(now - TOUCHES))))
    session.execute(delete(CallAttempt).where(col(CallAttempt.event_id).in_(_events_before(now - CALLS))))
    _detach_arrivals(session, now - RESERVATION_NAMES)
    session.execute(_reservation_names(now - RESERVATION_NAMES))
    session.execute(delete(Seat).where(col(Seat.event_id).in_(_events_before(now - RESERVATION_NAMES))))
    guests.forget_names(session, col(EventGuest.event_id).in_(_events_before(now - RESERVATION_NAMES)))
    session.execute(_announced_people(now - MEAL_WISHES))
    for table in (EventReservation, EventGuest):
        session.execute(_meal_wishes(table, now - MEAL_WISHES))


def erase_expired_acts(session: Session) -> None:
    """Apply the rule of acts, and forget people whom no act names any more (T1)."""
    act_chain.delete_before(session, clock.now() - acts_kept())
    named = (select(col(Act.actor_id)), select(col(Act.subject)))
    session.execute(delete(ActPerson).where(*(col(ActPerson.id).not_in(found) for found in named)))


def acts_kept() -> timedelta:
    """For how long an act is kept: the database itself refuses to delete younger ones."""
    return timedelta(days=365 * settings().acts_months // 12)


def _mail_content(before: datetime) -> Update:
    """Erase recipient and content of messages; the rows stay for the counts."""
    emptied = {"recipient": "", "context": {}, "relay_answer": "", "member_id": None, "reservation_id": None}
    still_personal = or_(col(OutboxMail.recipient) != "", col(OutboxMail.member_id).is_not(None))
    return update(OutboxMail).where(col(OutboxMail.created_at) < before, still_personal).values(**emptied)


def _mails_of_deleted_members() -> Update:
    """Erase recipient and content of what a worker held while its member was deleted, once it is done with."""
    done = col(OutboxMail.state).not_in(outbox.WAITING), col(OutboxMail.recipient) != ""
    is_to_a_guest = (col(OutboxMail.kind) == BROADCAST) & col(OutboxMail.context)["guest_id"].as_string().is_not(None)
    theirs = col(OutboxMail.kind).in_(_TO_MEMBERS), col(OutboxMail.member_id).is_(None), ~is_to_a_guest
    return update(OutboxMail).where(*done, *theirs).values(recipient="", context={}, relay_answer="")


def _mail_keys() -> Update:
    """Erase the addresses in the keys of messages whose recipient is erased."""
    named = col(OutboxMail.kind).in_((GUEST_NOTICE, PARTNER_NOTICE, HEALTH_ALERT)), col(OutboxMail.recipient) == ""
    return update(OutboxMail).where(*named, ~col(OutboxMail.key).like("erased:%")).values(key=outbox.ERASED_KEY)


def _outdated_refusals(before: datetime) -> Update:
    """Withdraw what would still tell an unknown address that it cannot sign in."""
    waits = col(OutboxMail.kind) == SIGN_IN_UNKNOWN, col(OutboxMail.state) == MailState.PENDING
    withdrawn = {"state": MailState.WITHDRAWN, "reason": OUTDATED, "updated_at": clock.now()}
    return update(OutboxMail).where(*waits, col(OutboxMail.created_at) < before).values(**withdrawn)


def _strangers(before: datetime) -> Update:
    """Erase the addresses of those who are in no list: unknown ones, and of those who were erased at their request."""
    kinds = col(OutboxMail.kind).in_((SIGN_IN_UNKNOWN, RIGHTS_ANSWERED))
    left = col(OutboxMail.state).not_in(outbox.WAITING), col(OutboxMail.created_at) < before
    emptied = {"recipient": "", "context": {}, "relay_answer": ""}
    return update(OutboxMail).where(kinds, *left, col(OutboxMail.recipient) != "").values(**emptied)


def _requests(before: datetime) -> Update:
    """Erase who asked something about their data, and what was said; that it was asked and answered stays."""
    emptied = dict.fromkeys(("name", "email", "words", "answer"), "")
    return update(RightsRequest).where(col(RightsRequest.answered_at) < before).values(**emptied, member_id=None)


def _detach_arrivals(session: Session, before: datetime) -> None:
    """Detach the arrivals at past events from their members, before the reservations are."""
    past = _events_before(before)
    of_members = col(Arrival.event_id).in_(past) & col(Arrival.person).in_(select(col(Member.id)))
    turnout.detach_arrivals(session, of_members, col(ArrivalTouch.event_id).in_(past))


def _reservation_names(before: datetime) -> Update:
    """Detach past reservations from their members; the rows stay for the figures."""
    return (
        update(EventReservation)
        .where(col(EventReservation.event_id).in_(_events_before(before)), col(EventReservation.member_id).is_not(None))
        .values(member_id=None)
    )


def _announced_people(before: datetime) -> Update:
    """Erase who was announced to the host, and what was wished for; the numbers stay."""
    past = col(EventAnnouncement.event_id).in_(_events_before(before))
    return update(EventAnnouncement).where(past).values(people=[], wishes={})


def _meal_wishes(table: type[EventReservation | EventGuest], before: datetime) -> Update:
    """Erase what was written of a meal."""
    past = col(table.event_id).in_(_events_before(before))
    return update(table).where(past, col(table.meal_wish) != "").values(meal_wish="")


def _events_before(moment: datetime) -> Select[Any]:
    return select(col(Event.id)).where(col(Event.date) < moment)
