"""A member as administrators read them: how to reach them, what the public sees, the next meeting, what happened."""

from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col, func, select

from clubapp import clock, routes
from clubapp.models import (
    Event,
    EventReservation,
    EventStatus,
    MailState,
    Member,
    OutboxMail,
    invited,
    is_for_members,
    status_of,
)
from clubapp.refusals import NotFound
from clubapp.services.answers.answer_form import choice_of
from clubapp.services.attendance.attendee_status import AttendeeStatus, describe_party, format_answer_source
from clubapp.services.attendance.presence import Presence, read_presence
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.images import responsive_images
from clubapp.services.images.responsive_images import NO_PICTURE, Picture
from clubapp.services.mail_log import listing as mail_listing
from clubapp.services.members import notes, person_history, review
from clubapp.services.members.notes import MEMBER_GONE, Note
from clubapp.services.members.person_history import HistoryLine
from clubapp.services.privacy import rights_requests, visibility, welcome_mailing
from clubapp.services.privacy.rights_requests import OpenRequest
from clubapp.services.privacy.visibility import LISTED
from clubapp.text import phone_numbers
from clubapp.text.email_addresses import split_address

FIRST_LINES, MOST_LINES = 12, 600
NO_PRESENCE = Presence()


@dataclass(frozen=True)
class MailFault:
    """Why mails do not reach somebody, and where an address that refuses them is corrected."""

    sentence: str = ""
    correct_href: str = ""


NO_FAULT = MailFault()


@dataclass(frozen=True)
class Visibility:
    """Whether the public sees something of a member; `word` says if members do, `chosen` by whom and since when."""

    label: str
    is_visible: bool
    word: str
    chosen: str = ""


@dataclass(frozen=True)
class NextAnswer:
    """The next meeting and what the member said; empty without one. `answer` is "oui", "non" or empty."""

    event_id: str = ""
    title: str = ""
    month: str = ""
    day: str = ""
    sentence: str = ""
    answer: str = ""
    is_open: bool = False


@dataclass(frozen=True)
class PersonPage:
    """All of the page. `company_href` is the page of the company, if it has one; `requests` are the open ones.

    `review` says for how long nobody has touched the record of an inactive member, if that is to be looked at.
    `welcome` says what became of the welcome mail; `is_awaited` while the club waits for the member's yes (P5).
    """

    id: str = ""
    name: str = ""
    role: str = ""
    company: str = ""
    company_href: str = ""
    trade: tuple[str, ...] = ()
    domain: str = ""
    is_active: bool = True
    picture: Picture = NO_PICTURE
    phone: str = ""
    phone_href: str = ""
    email: str = ""
    email_parts: tuple[str, ...] = ()
    email_href: str = ""
    mail_fault: MailFault = NO_FAULT
    since: str = ""
    public_href: str = ""
    visible: tuple[Visibility, ...] = ()
    requests: tuple[OpenRequest, ...] = ()
    review: str = ""
    welcome: str = ""
    is_awaited: bool = False
    meeting: NextAnswer = NextAnswer()
    presence: Presence = NO_PRESENCE
    history: tuple[HistoryLine, ...] = ()
    has_more: bool = False
    notes: tuple[Note, ...] = ()


def read_person(session: Session, actor: Actor, member_id: str, kind: str = "", most: int = FIRST_LINES) -> PersonPage:
    """The page of a member, with the latest `most` lines of one kind of history.

    Raises:
        NotFound: when the member was deleted.
    """
    require_admin(actor)
    member = session.get(Member, member_id)
    if member is None:
        raise NotFound(MEMBER_GONE)
    history, has_more = person_history.list_history(session, actor, member.id, kind, min(most, MOST_LINES))
    is_public = member.is_active and member.is_listed
    return PersonPage(
        id=member.id,
        name=member.name,
        role=member.role,
        company=member.company,
        company_href=routes.admin_company(member.company_id) if member.company_id else "",
        trade=(*member.expertise, *member.services),
        domain=member.activity_domain,
        is_active=member.is_active,
        picture=responsive_images.portrait_picture(member.image_url, member.name),
        **_reach(member),
        mail_fault=_find_mail_fault(session, member),
        since=clock.plain_day(member.created_at),
        public_href=routes.member_profile(member.id) if is_public else "",
        visible=_list_visible(session, member, is_public),
        requests=rights_requests.list_open(session, actor, member.id),
        review=f"Inactif depuis plus de {review.format_years()}" if review.is_to_review(member) else "",
        welcome=welcome_mailing.describe_welcome(session, member),
        is_awaited=visibility.is_awaited(session, member),
        meeting=_read_next_meeting(session, member),
        presence=read_presence(session, actor, member.id),
        history=history,
        has_more=has_more,
        notes=notes.list_notes(session, actor, member.id),
    )


def _reach(member: Member) -> dict[str, Any]:
    return {
        "phone": phone_numbers.format_phone(member.phone),
        "phone_href": phone_numbers.tel_link(member.phone),
        "email": member.email or "",
        "email_parts": tuple(split_address(member.email or "")),
        "email_href": f"mailto:{member.email}" if member.email else "",
    }


def _find_mail_fault(session: Session, member: Member) -> MailFault:
    if not member.email:
        return MailFault("Sans adresse e-mail, ce membre ne reçoit aucun message.")
    if member.email_failed_at:
        mail_id = session.scalar(mail_listing.latest_failed(member.id))
        href = routes.correct_address(mail_id) if mail_id else routes.edit_member(member.id)
        return MailFault(f"Les messages sont refusés depuis le {clock.long_day(member.email_failed_at)}.", href)
    if member.opted_out_at:
        return MailFault(f"Ne veut plus recevoir d’e-mails depuis le {clock.long_day(member.opted_out_at)}.")
    return NO_FAULT


def _list_visible(session: Session, member: Member, is_public: bool) -> tuple[Visibility, ...]:
    shown = (
        ("Sa page", LISTED, "masquée", True),
        ("Sa photo", "shows_photo", "masquée" if member.image_url else "aucune", bool(member.image_url)),
        ("Son e-mail", "shows_email", "masqué" if member.email else "aucun", bool(member.email)),
        ("Son téléphone", "shows_phone", "masqué" if member.phone else "aucun", bool(member.phone)),
    )
    latest = visibility.read_latest(session, member.id)
    is_for_all = {choice: is_public and is_there and getattr(member, choice) for _, choice, _, is_there in shown}
    to_members = member.is_active and is_for_members(member, LISTED)
    return tuple(
        Visibility(
            label,
            is_for_all[choice],
            "visible" if is_for_all[choice] else _hidden(member, choice, hidden, to_members and is_there),
            visibility.describe_to_administrator(visibility.pick_latest(latest, member, choice)),
        )
        for label, choice, hidden, is_there in shown
    )


def _hidden(member: Member, choice: str, hidden: str, to_members: bool) -> str:
    return "pour les membres" if to_members and is_for_members(member, choice) else hidden


def _read_next_meeting(session: Session, member: Member) -> NextAnswer:
    columns: Any = (Event, EventReservation)
    own = (col(EventReservation.event_id) == col(Event.id)) & (col(EventReservation.member_id) == member.id)
    query = (
        select(*columns)
        .outerjoin(EventReservation, own & invited())
        .where(col(Event.date) > clock.now(), Event.status == EventStatus.CONFIRMED)
        .order_by(col(Event.date))
        .limit(1)
    )
    found = session.exec(query).first()
    if found is None:
        return NextAnswer()
    event, reservation = found
    month, day, _ = clock.dated_parts(event.date)
    status = status_of(reservation)
    return NextAnswer(
        event_id=event.id,
        title=event.title,
        month=month,
        day=day,
        sentence=_describe_answer(session, member, event, reservation, status),
        answer=choice_of(status.will_attend),
        is_open=member.is_active,
    )


def _describe_answer(
    session: Session, member: Member, event: Event, reservation: EventReservation | None, status: AttendeeStatus
) -> str:
    """'Vient, 1 invité, répondu par téléphone le …'; without an answer, how many messages reached them."""
    if reservation and status.will_attend is not None:
        party = describe_party(status, reservation.guest_count, reservation.with_lunch if event.has_lunch else None)
        source = format_answer_source(reservation.answered_via, reservation.responded_at, reservation.recorded_by)
        return ", ".join(part for part in (status.sentence, party, source) if part)
    sent = select(func.count()).where(
        OutboxMail.member_id == member.id, OutboxMail.event_id == event.id, OutboxMail.state == MailState.SENT
    )
    count = session.exec(sent).one()
    if not count:
        return f"{status.sentence}, aucun message envoyé"
    return f"{status.sentence}, {count} {'messages envoyés' if count > 1 else 'message envoyé'}"
