"""Where an event stands: its five stages, the one act that the current one asks for, and how far its day is."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum

from sqlmodel import Session, col, func, select

from clubapp import calendar_files, clock, routes
from clubapp.mail.messages.invitation_and_reminders import INVITATION
from clubapp.models import (
    BroadcastEmail,
    Event,
    EventStatus,
    MailState,
    OutboxMail,
    PlannedMailing,
    PlannedState,
    ReminderType,
)
from clubapp.services.events import mailing_schedule
from clubapp.services.mailings.stored_audience import AnswerGroup

DAY_TAB, REVIEW_TAB = "jour", "bilan"
CALLED_AHEAD = timedelta(days=21)  # before, the invitation and the reminders are given their time
DONE, CURRENT, COMING, LEFT_OUT = "done", "current", "coming", "left_out"


class Step(StrEnum):
    """The stages in their order."""

    PREPARE = "prepare"
    INVITE = "invite"
    REMIND = "remind"
    RECEIVE = "receive"
    THANK = "thank"

    @property
    def label(self) -> str:
        """The French word."""
        return _LABELS[self]


class StageActKind(StrEnum):
    """What the current stage asks for; NOTHING of one that is cancelled, thanked for, or invited to long before."""

    NOTHING = ""
    WRITE = "write"
    CONFIRM = "confirm"
    INVITE = "invite"
    CALL = "call"
    PREPARE_DAY = "prepare_day"
    RECEIVE = "receive"
    CLOSE = "close"
    THANK = "thank"


_LABELS = {
    Step.PREPARE: "Préparer",
    Step.INVITE: "Inviter",
    Step.REMIND: "Relancer",
    Step.RECEIVE: "Accueillir",
    Step.THANK: "Remercier",
}
_ACT_LABELS = {
    StageActKind.NOTHING: "",
    StageActKind.WRITE: "Écrire le texte",
    StageActKind.CONFIRM: "Relire et confirmer",
    StageActKind.INVITE: "Envoyer les invitations",
    StageActKind.PREPARE_DAY: "Préparer le jour\u00a0J",
    StageActKind.RECEIVE: "Ouvrir l’accueil",
    StageActKind.CLOSE: "Clore l'accueil",
    StageActKind.THANK: "Écrire à ceux qui sont venus",
}


@dataclass(frozen=True)
class Stage:
    """One stage: DONE, CURRENT, COMING or LEFT_OUT, with its date or what it lacks."""

    key: str
    name: str
    state: str
    detail: str = ""


@dataclass(frozen=True)
class StageAct:
    """The act of the current stage. `href` is where it is done; empty for what the screen itself asks or opens."""

    key: str = StageActKind.NOTHING.value
    label: str = ""
    href: str = ""


@dataclass(frozen=True)
class Progress:
    """What is known of the way of an event. `arrived` and `expected`, or arrived, are people, guests included."""

    event: Event
    mailings: tuple[PlannedMailing, ...] = ()
    silent: int = 0
    invited: int = 0
    invited_at: datetime | None = None
    arrived: int = 0
    expected: int = 0
    thanked_at: datetime | None = None


def read_progress(
    session: Session, event: Event, *, silent: int, invited: int, arrived: int = 0, expected: int = 0
) -> Progress:
    """The way of an event, in three statements beside the figures that are given.

    As long as the invitations are in the journal of mails, they are counted there: who answered by telephone without
    one has a reservation too.
    """
    mailings = session.exec(
        select(PlannedMailing).where(PlannedMailing.event_id == event.id).order_by(col(PlannedMailing.due_at))
    ).all()
    mailed = col(OutboxMail.event_id) == event.id, col(OutboxMail.kind) == INVITATION
    each = func.coalesce(OutboxMail.reservation_id, OutboxMail.id)
    invited_at, mailed_to = session.exec(
        select(func.min(OutboxMail.created_at), func.count(each.distinct())).where(
            *mailed, OutboxMail.state != MailState.EXCLUDED
        )
    ).one()
    return Progress(
        event=event,
        mailings=tuple(mailings),
        silent=silent,
        invited=mailed_to or invited,
        invited_at=invited_at,
        arrived=arrived,
        expected=expected,
        thanked_at=read_thanked_at(session, event),
    )


def find_current(way: Progress) -> Step | None:
    """The current stage; None of an event that is cancelled, or whose people were thanked."""
    event = way.event
    if event.status == EventStatus.CANCELLED:
        return None
    if is_closed(event):
        return None if way.thanked_at else Step.THANK
    if event.status == EventStatus.DRAFT and not event.invitation_sent:
        return Step.PREPARE
    if _has_come(event):
        return Step.RECEIVE
    if event.invitation_sent:
        return Step.REMIND
    return Step.INVITE if has_text(event) else Step.PREPARE


def list_stages(way: Progress) -> tuple[Stage, ...]:
    """The five stages."""
    current = find_current(way)
    return tuple(_stage(step, way, current) for step in Step)


def find_act(way: Progress) -> StageAct:
    """The one act of the current stage."""
    act = _ACTS[current](way) if (current := find_current(way)) else StageActKind.NOTHING
    return StageAct(act.value, _act_label(act, way), _href(act, way))


def describe_distance(event: Event) -> tuple[str, str]:
    """'8 jours', 'avant la rencontre'; 'Demain', 'Aujourd’hui', 'Hier' and 'Il y a 3 jours' stand alone.

    Beyond a year it is told in years: 'Plus de 2 ans', 'Il y a 4 ans'. Both are empty for an event
    that is off: nobody waits for its day.
    """
    if event.status == EventStatus.CANCELLED:
        return "", ""
    day, today = _day(event.date), _day(clock.now())
    days, years = (day - today).days, _count_years(day, today)
    if years:
        return (f"Plus {_of_years(years)}", "avant la rencontre") if days > 0 else (f"Il y a {_years(years)}", "")
    if days > 1:
        return f"{days} jours", "avant la rencontre"
    if days == 1:
        return "Demain", f"à {clock.hour(event.date)}"
    if days == 0 or not has_ended(event):
        return "Aujourd’hui", f"à {clock.hour(event.date)}"
    return ("Hier", "") if days == -1 else (f"Il y a {-days} jours", "")


def _count_years(one: date, other: date) -> int:
    first, last = sorted((one, other))
    return last.year - first.year - ((last.month, last.day) < (first.month, first.day))


def _years(count: int) -> str:
    return f"{count} {'ans' if count > 1 else 'an'}"


def _of_years(count: int) -> str:
    return f"de {count} ans" if count > 1 else "d’un an"


def has_text(event: Event) -> bool:
    """Whether something is written of it: a description, or an invitation of its own."""
    return bool(event.description or event.email_template)


def has_ended(event: Event) -> bool:
    """Whether it is over by the clock."""
    return calendar_files.ends_at(event) <= clock.now()


def is_closed(event: Event) -> bool:
    """Whether its reception is closed."""
    return event.doors_closed_at is not None or event.status == EventStatus.COMPLETED


def _has_come(event: Event) -> bool:
    return event.date <= clock.now() or _day(event.date) == _day(clock.now())


def _day(instant: datetime) -> date:
    return clock.to_local(instant).date()


def read_thanked_at(session: Session, event: Event) -> datetime | None:
    """When a mail left to those who came, or had said yes, once the event was over."""
    audiences = [f"event:{event.id}:{group}" for group in (AnswerGroup.CAME, AnswerGroup.YES)]
    ended_at = calendar_files.ends_at(event)
    over_at = min(event.doors_closed_at or ended_at, ended_at)
    thanked = col(BroadcastEmail.audience).in_(audiences), col(BroadcastEmail.sent_at) > over_at
    return session.exec(select(func.max(BroadcastEmail.sent_at)).where(*thanked)).one()


def _stage(step: Step, way: Progress, current: Step | None) -> Stage:
    state = _state(step, way, current)
    return Stage(step.value, step.label, state, _DETAILS[step](way, state))


def _state(step: Step, way: Progress, current: Step | None) -> str:
    if step is current:
        return CURRENT
    if _IS_DONE[step](way):
        return DONE
    is_missed = step in (Step.INVITE, Step.REMIND) and _has_come(way.event)
    return LEFT_OUT if current is None or is_missed else COMING


def _prepare(way: Progress, state: str) -> str:
    if state == DONE:
        return f"le {clock.day_and_month(way.event.created_at)}"
    return "à confirmer" if has_text(way.event) else "texte à écrire"


def _invite(way: Progress, _state: str) -> str:
    if way.event.invitation_sent:
        when = f", le {clock.day_and_month(way.invited_at)}" if way.invited_at else ""
        return f"{way.invited}{when}"
    if _has_come(way.event) or way.event.status == EventStatus.CANCELLED:
        return "aucun envoi"
    wanted = ReminderType.INVITATION, PlannedState.PLANNED
    planned = next((each for each in way.mailings if (each.reminder_type, each.state) == wanted), None)
    is_confirmed = mailing_schedule.leaves_as_it_stands(way.event, ReminderType.INVITATION)
    return _due(planned, "prévu") if planned and is_confirmed else "rien de prévu"


def _remind(way: Progress, _state: str) -> str:
    reminders = _reminders(way)
    left = [each for each in reminders if each.state == PlannedState.PLANNED]
    if left and not _has_come(way.event):
        is_invited = mailing_schedule.leaves_as_it_stands(way.event, ReminderType.FIRST)
        return _due(left[0], "prochaine" if len(left) > 1 else "dernière") if is_invited else "après les invitations"
    if sent := _list_reminded(way):
        return f"la dernière le {clock.day_and_month(max(sent))}"
    return "aucune envoyée" if _has_come(way.event) else "aucune de prévue"


def _reminders(way: Progress) -> list[PlannedMailing]:
    return [each for each in way.mailings if each.reminder_type != ReminderType.INVITATION]


def _list_reminded(way: Progress) -> list[datetime]:
    """When reminders left."""
    return [each.settled_at for each in _reminders(way) if each.state == PlannedState.DONE and each.settled_at]


def _due(planned: PlannedMailing, before: str) -> str:
    return mailing_schedule.describe_due(planned.due_at, clock.near_moment(planned.due_at), before)


def _receive(way: Progress, state: str) -> str:
    if way.event.status == EventStatus.CANCELLED:
        return "n’a pas lieu"
    if state == DONE:
        if not way.arrived:
            return "personne n’est venu" if way.event.doors_closed_at else "venues non notées"
        return f"{way.arrived} {'personnes venues' if way.arrived > 1 else 'personne venue'}"
    if way.arrived:
        return f"{way.arrived} / {way.expected} arrivés"
    return f"le {clock.day_and_month(way.event.date)}, dès {clock.hour(way.event.date)}"


def _thank(way: Progress, state: str) -> str:
    if way.thanked_at:
        return f"le {clock.day_and_month(way.thanked_at)}"
    if way.event.status == EventStatus.CANCELLED:
        return "sans objet"
    return "à faire" if state == CURRENT else "à venir"


_DETAILS = {
    Step.PREPARE: _prepare,
    Step.INVITE: _invite,
    Step.REMIND: _remind,
    Step.RECEIVE: _receive,
    Step.THANK: _thank,
}
_IS_DONE = {
    Step.PREPARE: lambda way: way.event.invitation_sent or way.event.status != EventStatus.DRAFT,
    Step.INVITE: lambda way: way.event.invitation_sent,
    Step.REMIND: lambda way: (_has_come(way.event) or is_closed(way.event)) and bool(_list_reminded(way)),
    Step.RECEIVE: lambda way: is_closed(way.event),
    Step.THANK: lambda way: way.thanked_at is not None,
}


def _remind_act(way: Progress) -> StageActKind:
    if way.event.date > clock.now() + CALLED_AHEAD:
        return StageActKind.NOTHING
    return StageActKind.CALL if way.silent else StageActKind.PREPARE_DAY


def _receive_act(way: Progress) -> StageActKind:
    if way.event.status == EventStatus.DRAFT:
        return StageActKind.CONFIRM
    return StageActKind.CLOSE if has_ended(way.event) else StageActKind.RECEIVE


_ACTS = {
    Step.PREPARE: lambda way: StageActKind.CONFIRM if has_text(way.event) else StageActKind.WRITE,
    Step.INVITE: lambda _way: StageActKind.INVITE,
    Step.REMIND: _remind_act,
    Step.RECEIVE: _receive_act,
    Step.THANK: lambda _way: StageActKind.THANK,
}


def _act_label(act: StageActKind, way: Progress) -> str:
    if act is StageActKind.CALL:
        return f"Appeler les {way.silent} sans réponse" if way.silent > 1 else "Appeler le membre sans réponse"
    if act is StageActKind.THANK and not way.arrived:
        return "Écrire à ceux qui ont dit oui"
    return _ACT_LABELS[act]


def _href(act: StageActKind, way: Progress) -> str:
    event_id = way.event.id
    return {
        StageActKind.CALL: routes.calling_list(event_id),
        StageActKind.PREPARE_DAY: routes.event_tab(event_id, DAY_TAB),
        StageActKind.RECEIVE: routes.arrivals(event_id),
        # Where nobody's coming was noted, those who said yes.
        StageActKind.THANK: routes.write_to(evenement=event_id, reponse="venus" if way.arrived else "oui"),
    }.get(act, "")
