"""What is to be done, the most urgent first: each line leads with one press to where it is done."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, func, select

from clubapp import clock, routes
from clubapp.models import (
    CompetitionTask,
    EmailReminderSetting,
    Event,
    EventStatus,
    Member,
    PlannedMailing,
    PlannedState,
    ReminderType,
)
from clubapp.services.attendance.turnout import count_turnout, list_arrived
from clubapp.services.base.actors import Actor
from clubapp.services.events import mailing_schedule, stages
from clubapp.services.events.admin_views import count_figures
from clubapp.services.events.stages import DAY_TAB, StageActKind
from clubapp.services.mail_log import listing as mail_listing
from clubapp.services.members import listing, review
from clubapp.services.privacy import rights_requests
from clubapp.services.privacy.rights_requests import OpenRequest
from clubapp.services.reminders.upcoming_mailings import NAMES
from clubapp.services.today.next_meeting import Coming
from clubapp.text import french

INVITED_AHEAD, WRITTEN_AHEAD = timedelta(days=30), timedelta(days=60)
CLOSED_WITHIN, TOLD_AHEAD, THANKED_WITHIN = timedelta(days=30), timedelta(days=7), timedelta(days=7)
MOST_NAMES, MOST_REQUESTS, MOST_ADDRESSES, MOST_HELD = 3, 3, 3, 3


@dataclass(frozen=True)
class Task:
    """One line: what it is about (`kind`, a code), what to do and where; `is_fault` marks what went wrong.

    A document is a page without an interface.
    """

    kind: str
    title: str
    detail: str
    action: str
    href: str
    is_fault: bool = False
    is_document: bool = False


def list_tasks(session: Session, actor: Actor, coming: Coming, health: Task | None = None) -> tuple[Task, ...]:
    """All that waits for an administrator; `health` is the line of the installation's state, if it is not well."""
    requests = _requests(rights_requests.list_open(session, actor))
    held = _list_held(session)
    found = (
        *_receive(session, coming),
        *_open_doors(held),
        *_thanks(session, held),
        *[each for each in requests if each.is_fault],
        *_missed(coming),
        *_silent(session, coming),
        *_invitations(coming),
        *_numbers(coming),
        *_waiting(coming),
        *_texts(coming),
        *_failed_addresses(session),
        *[each for each in requests if not each.is_fault],
        *([health] if health else []),
        *_undecided_trades(session),
        *_first_members(session, coming),
        *_missing_photographs(session),
        *_inactive_members(session, actor),
    )
    return found


def _receive(session: Session, coming: Coming) -> list[Task]:
    """The event of today, until it ends."""
    if not coming.events:
        return []
    event, figures = coming.events[0], coming.figures
    act = stages.find_act(stages.Progress(event))
    if act.key != StageActKind.RECEIVE:
        return []
    people = figures.total_attending + figures.total_guests
    expected = f"{people} personnes attendues" if people > 1 else f"{people} personne attendue"
    if arrived := len(list_arrived(session, event.id)):
        expected = f"{arrived} personnes arrivées" if arrived > 1 else "1 personne arrivée"
    verb = "a commencé" if event.date <= clock.now() else "commence"
    title = f"La rencontre d’aujourd’hui {verb} à {clock.hour(event.date)}"
    return [Task("receive", title, f"{event.title}\u00a0: {expected}", act.label, act.href, is_document=True)]


def _list_held(session: Session) -> Sequence[Event]:
    """The last events that took place, the latest first."""
    now = clock.now()
    held = col(Event.date) < now, col(Event.date) > now - CLOSED_WITHIN
    taken_place = col(Event.status).in_((EventStatus.CONFIRMED, EventStatus.COMPLETED))
    return session.exec(select(Event).where(*held, taken_place).order_by(col(Event.date).desc()).limit(MOST_HELD)).all()


def _open_doors(held: Sequence[Event]) -> list[Task]:
    """The last event that was not closed."""
    event = next((each for each in held if not stages.is_closed(each)), None)
    if event is None or not stages.has_ended(event):
        return []
    title = f"L’accueil du {_day(event.date)} reste à clore"
    return [
        Task(
            "doors",
            title,
            f"{event.title}\u00a0: la liste de ceux qui sont venus est alors arrêtée.",
            "Clore l’accueil",
            routes.arrivals(event.id),
            is_document=True,
        )
    ]


def _thanks(session: Session, held: Sequence[Event]) -> list[Task]:
    """The last event, once it is closed and until those who came are thanked or a week has gone by."""
    event = next(iter(held), None)
    if event is None or event.date < clock.now() - THANKED_WITHIN or not stages.is_closed(event):
        return []
    arrived = count_turnout(session, event).arrived
    thanked_at = stages.read_thanked_at(session, event)
    act = stages.find_act(stages.Progress(event, arrived=arrived, thanked_at=thanked_at))
    if act.key != StageActKind.THANK or not (arrived or count_figures(session, event.id).total_attending):
        return []
    title = f"Les remerciements du {_day(event.date)} restent à envoyer"
    people = f"{arrived} personnes venues" if arrived > 1 else f"{arrived} personne venue"
    detail = f"{event.title}\u00a0: {people}" if arrived else event.title
    return [Task("thanks", title, detail, "Remercier", act.href)]


def _missed(coming: Coming) -> list[Task]:
    """Mailings that should have left; one whose date had gone by when it was planned could not."""
    missed = [
        (mailing, event)
        for mailing, event in coming.mailings
        if mailing.state == PlannedState.MISSED and mailing_schedule.is_fault(mailing, event)
    ]
    if not missed:
        return []
    mailing, event = missed[0]
    told = f"{_name(mailing)}, {event.title}, prévue {_when(mailing.due_at)}"
    return [Task("missed", "Un envoi automatique n’est pas parti", told, "Voir l’envoi", routes.ADMIN_PLANNED, True)]


def _silent(session: Session, coming: Coming) -> list[Task]:
    """Who has not answered, and the reminder that asks them, if one does."""
    count = coming.figures.total_no_response
    if not coming.events or not count or not coming.events[0].invitation_sent:
        return []
    event = coming.events[0]
    if not clock.now() < event.date < clock.now() + stages.CALLED_AHEAD:
        return []
    who = f"{count} membres n’ont" if count > 1 else "1 membre n’a"
    asking = session.exec(select(EmailReminderSetting.reminder_type).where(EmailReminderSetting.to_unanswered)).all()
    planned = (each for each, of in coming.mailings if of == event and _is_planned(each))
    reminder = next((each for each in planned if each.reminder_type in asking), None)
    parts = (
        _free_places(coming.free),
        f"{_name(reminder).lower()} {_leaves(reminder)}"
        if reminder
        else "aucune relance à venir pour qui n’a pas répondu",
    )
    detail = "\u00a0; ".join(part for part in parts if part)
    action = f"Appeler les {count}" if count > 1 else "Appeler"
    title = f"{who} rien dit pour le {_day(event.date)}"
    return [Task("silent", title, _sentence(detail), action, routes.calling_list(event.id))]


def _invitations(coming: Coming) -> list[Task]:
    """Events that are near, and to which nothing invites by itself."""
    found = []
    for event in coming.events:
        if event.invitation_sent or not clock.now() < event.date < clock.now() + INVITED_AHEAD:
            continue
        planned = next((each for each, of in coming.mailings if of == event and _is_invitation(each)), None)
        if planned and event.status == EventStatus.CONFIRMED:
            continue
        title = f"Les invitations du {_day(event.date)} ne sont pas parties"
        told = f"Prévues {_when(planned.due_at)}, si l’événement est confirmé" if planned else "Rien n’est prévu"
        detail = f"{event.title}\u00a0: {_lower(told)}"
        found.append(Task("invitations", title, detail, "Inviter", routes.admin_event(event.id)))
    return found


def _numbers(coming: Coming) -> list[Task]:
    """An event that is near, invited to, with a lunch, and of which nobody is told the numbers."""
    if not coming.events:
        return []
    event = coming.events[0]
    is_told = bool(event.caterer_email or event.host_email)
    if is_told or not event.has_lunch or not event.invitation_sent or event.date > clock.now() + TOLD_AHEAD:
        return []
    title = f"Les nombres du {_day(event.date)} ne sont envoyés à personne"
    detail = "Indiquez le traiteur ou l’hôte de la rencontre"
    return [Task("numbers", title, detail, "Indiquer", routes.event_tab(event.id, DAY_TAB))]


def _texts(coming: Coming) -> list[Task]:
    """Events of which nothing is written yet, neither a description nor an invitation of their own."""
    return [
        Task(
            "text",
            f"Le texte de «\u00a0{event.title}\u00a0» reste à écrire",
            f"Rencontre du {_day(event.date)}",
            "Écrire le texte",
            routes.admin_event(event.id),
        )
        for event in coming.events
        if not event.invitation_sent
        and not (event.description or event.email_template)
        and event.date < clock.now() + WRITTEN_AHEAD
    ]


def _waiting(coming: Coming) -> list[Task]:
    count = coming.figures.total_waiting
    if not count:
        return []
    title = f"{count} membres sont en liste d’attente" if count > 1 else "1 membre est en liste d’attente"
    return [Task("waiting", title, coming.events[0].title, "Voir la liste", routes.admin_event(coming.events[0].id))]


def _failed_addresses(session: Session) -> list[Task]:
    """A line for each of the latest, which leads to the field where it is corrected; the others are counted."""
    newest = mail_listing.latest_failed(Member.id).correlate(Member).scalar_subquery()
    columns: Any = (Member.id, Member.name, Member.email, newest, func.count().over())
    query = select(*columns).where(col(Member.email_failed_at).is_not(None), Member.is_active)
    found: Any = session.exec(query.order_by(col(Member.email_failed_at).desc()).limit(MOST_ADDRESSES)).all()
    tasks = [
        Task(
            "addresses",
            f"L’adresse {french.of_person(name)} refuse les messages",
            email or "",
            "Corriger",
            routes.correct_address(mail_id) if mail_id else routes.edit_member(member_id),
            True,
        )
        for member_id, name, email, mail_id, _ in found
    ]
    if found and (rest := found[0][-1] - len(found)):
        title = f"{rest} autres adresses refusent les messages" if rest > 1 else "1 autre adresse refuse les messages"
        tasks.append(Task("addresses", title, "", "Voir", f"{routes.ADMIN_MAIL_LOG}?etat=failed", True))
    return tasks


def _requests(asked: Sequence[OpenRequest]) -> list[Task]:
    """A line for each of the most urgent; the others are counted."""
    tasks, others = [_request(each) for each in asked[:MOST_REQUESTS]], asked[MOST_REQUESTS:]
    if others:
        several = f"{len(others)} autres demandes sur des données attendent une réponse"
        title = several if len(others) > 1 else "1 autre demande sur des données attend une réponse"
        tasks.append(Task("request", title, "", "Voir", routes.ADMIN_REQUESTS, others[0].is_late))
    return tasks


def _request(asked: OpenRequest) -> Task:
    due = f"en retard depuis le {asked.deadline}" if asked.is_late else f"réponse due le {asked.deadline}"
    title, detail = f"{asked.name} {asked.does}", f"Demande du {asked.asked}, {due}"
    return Task("request", title, detail, "Lui répondre", routes.ADMIN_REQUESTS, asked.is_late)


def _undecided_trades(session: Session) -> list[Task]:
    count = session.exec(select(func.count()).select_from(CompetitionTask)).one()
    if not count:
        return []
    title = f"{count} concurrences restent à décider" if count > 1 else "1 concurrence reste à décider"
    detail = "Des métiers proches\u00a0: à vous de dire s’ils sont en concurrence"
    return [Task("trades", title, detail, "Décider", routes.ADMIN_MEMBERS)]


def _first_members(session: Session, coming: Coming) -> list[Task]:
    """A new club begins with its list; one that has an event ahead is asked nothing."""
    if coming.events or session.exec(select(Member.id).limit(1)).first():
        return []
    detail = "Importez le fichier que vous tenez déjà, ou créez-les un à un"
    return [Task("members", "Le club n’a pas encore de membre", detail, "Importer", routes.IMPORT_MEMBERS)]


def _missing_photographs(session: Session) -> list[Task]:
    query = select(Member.name, func.count().over()).where(listing.lacks_picture())
    found = session.exec(query.order_by(col(Member.created_at).desc()).limit(MOST_NAMES)).all()
    if not found:
        return []
    count = found[0][1]
    title = f"{count} profils sont sans photographie" if count > 1 else "1 profil est sans photographie"
    names = _enumerate([name for name, _ in found], count)
    shown = f"{routes.ADMIN_MEMBERS}?{listing.RECORDS}={listing.WITHOUT_PICTURE}"
    return [Task("photographs", title, names, "Voir", shown)]


def _inactive_members(session: Session, actor: Actor) -> list[Task]:
    """Records that nobody has used for years: a proposal, one at a time on the page of the first."""
    found = review.list_to_review(session, actor)
    if not found:
        return []
    which = f"{len(found)} fiches sont inactives" if len(found) > 1 else "1 fiche est inactive"
    title = f"{which} depuis plus de {review.format_years()}"
    names = _enumerate([one.name for one in found[:MOST_NAMES]], len(found))
    detail = f"{names}\u00a0: à garder ou à supprimer"
    return [Task("review", title, detail, "Revoir", routes.admin_member(found[0].id))]


def _is_planned(mailing: PlannedMailing) -> bool:
    return mailing.state == PlannedState.PLANNED and not _is_type(mailing, ReminderType.INVITATION)


def _is_invitation(mailing: PlannedMailing) -> bool:
    return mailing.state == PlannedState.PLANNED and _is_type(mailing, ReminderType.INVITATION)


def _is_type(mailing: PlannedMailing, which: ReminderType) -> bool:
    return mailing.reminder_type == which


def _name(mailing: PlannedMailing) -> str:
    return NAMES[ReminderType(mailing.reminder_type)]


def _free_places(free: int | None) -> str:
    if free is None:
        return ""
    return "complet" if free <= 0 else f"{free} places libres" if free > 1 else "1 place libre"


def _enumerate(names: list[str], count: int) -> str:
    rest = count - len(names)
    return (
        f"{', '.join(names)} et {rest} {'autres' if rest > 1 else 'autre'}"
        if rest
        else " et ".join(filter(None, (", ".join(names[:-1]), names[-1])))
    )


def _day(instant: datetime) -> str:
    return clock.plain_day(instant).rsplit(" ", 1)[0]


def _when(instant: datetime) -> str:
    return f"le {clock.short_day(instant)}"


def _leaves(mailing: PlannedMailing) -> str:
    return mailing_schedule.describe_due(mailing.due_at, _when(mailing.due_at))


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
