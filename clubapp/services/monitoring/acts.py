"""The journal of acts as administrators read it: searched, filtered, read by page, exported (T1)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from sqlalchemy import or_
from sqlmodel import Session, col, func, select

from clubapp import clock, routes
from clubapp.models import (
    Act,
    ActChanges,
    ActPerson,
    Company,
    Event,
    EventReservation,
    Member,
    OutboxMail,
    UserSession,
)
from clubapp.services.access import session_list
from clubapp.services.attendance.people import name_people
from clubapp.services.base import audit, table_files
from clubapp.services.base.act_codes import (
    ACTS,
    COMPANY,
    EVENT,
    GROUPS,
    MAIL,
    MEMBER,
    PERSON,
    RESERVATION,
    SESSION,
    SUBJECTS,
    label_of,
)
from clubapp.services.base.actors import Actor, require_admin, require_fresh_admin
from clubapp.services.base.search import LONGEST_QUERY
from clubapp.services.base.table_files import Download
from clubapp.services.monitoring.act_words import describe_changes, describe_detail
from clubapp.text.collation import fold
from clubapp.text.email_addresses import split_address

PAGE = 50
MOST_EXPORTED = 20_000
PERIODS = (("7", "Sept derniers jours"), ("30", "Trente derniers jours"), ("90", "Trois derniers mois"))
AUTHORS = (
    (audit.ADMIN, "Administrateurs"),
    (audit.MEMBER, "Membres"),
    (audit.COMMAND, "Commandes"),
    (audit.PROGRAM, "Le site lui-même"),
    (audit.VISITOR, "Visiteurs"),
)
PARAMETERS = ("q", "auteur", "genre", "periode", "objet", "page")
_HEADERS = ("N°", "Date", "Auteur", "Depuis", "Acte", "Code", "Objet", "Détails", "Champ", "Avant", "Après")
_OF_SOMEBODY = ("token.made",)  # of acts on sessions: that of somebody else than who acts
_GONE = {
    MEMBER: "Ancien membre",
    COMPANY: "Entreprise supprimée",
    EVENT: "Événement supprimé",
    PERSON: "Personne effacée",
}


@dataclass(frozen=True)
class ActQuery:
    """What the address asks for; empty filters do not apply. `subject` is a kind, a dot and an identifier."""

    text: str = ""
    author: str = ""
    group: str = ""
    period: str = ""
    subject: str = ""
    page: int = 1


@dataclass(frozen=True)
class ActChange:
    """A value before and after."""

    label: str = ""
    before: str = ""
    after: str = ""


@dataclass(frozen=True)
class ActRow:
    """One act. `source` is the browser and session, or the account of a command; the parts are for line breaks."""

    id: str = ""
    number: str = ""
    action: str = ""
    label: str = ""
    when: str = ""
    who: str = ""
    who_parts: tuple[str, ...] = ()
    source: str = ""
    subject_kind: str = ""
    subject: str = ""
    subject_parts: tuple[str, ...] = ()
    subject_href: str = ""
    note: str = ""
    changes: tuple[ActChange, ...] = ()
    changes_label: str = ""


@dataclass(frozen=True)
class ActPage:
    """One page of the acts that match; the export keeps the filters. `history_of` names the record of a history."""

    rows: tuple[ActRow, ...] = ()
    count_label: str = ""
    page: int = 1
    pages: int = 1
    export_href: str = ""
    history_of: str = ""
    is_narrowed: bool = False


def parse_query(given: dict[str, str]) -> ActQuery:
    """The filters of an address; unknown values do not apply."""
    page = given.get("page", "")
    return ActQuery(
        text=given.get("q", "").strip()[:LONGEST_QUERY],
        author=_known(given.get("auteur", ""), (value for value, _ in AUTHORS)),
        group=_known(given.get("genre", ""), GROUPS),
        period=_known(given.get("periode", ""), (value for value, _ in PERIODS)),
        subject=given.get("objet", "")[:80],
        page=int(page) if page.isascii() and page.isdecimal() and 0 < len(page) < 7 else 1,
    )


def read_page(session: Session, actor: Actor, asked: ActQuery) -> ActPage:
    """One page of the acts that match, the latest first."""
    require_admin(actor)
    where = _conditions(session, asked)
    total = session.exec(select(func.count()).select_from(Act).where(*where)).one()
    pages = max(1, -(-total // PAGE))
    page = min(max(1, asked.page), pages)
    found = session.exec(_rows(where).limit(PAGE).offset((page - 1) * PAGE)).all()
    return ActPage(
        rows=_describe(session, found),
        count_label=f"{total:,} {'actes' if total > 1 else 'acte'}".replace(",", "\u00a0"),
        page=page,
        pages=pages,
        export_href=_href(routes.ACTS_EXPORT, replace(asked, page=1)),
        history_of=_history_of(session, asked.subject),
        is_narrowed=asked != ActQuery(page=asked.page),
    )


def list_changes_of(
    session: Session, actor: Actor, record_id: str, most: int, kind: str = MEMBER
) -> list[tuple[datetime, ActRow]]:
    """The latest acts done to a record, a member's unless another `kind` is given, each with its moment."""
    require_admin(actor)
    of_record = [col(Act.subject) == record_id, col(Act.subject_kind) == kind]
    found = session.exec(_rows(of_record).limit(most)).all()
    return [(act.at, row) for (act, *_), row in zip(found, _describe(session, found), strict=True)]


def export_csv(session: Session, actor: Actor, *given: str) -> Download:
    """The acts that match as CSV, a line for each changed value; `given` are the values of `PARAMETERS`.

    Raises:
        ProofRequired: when the actor's last proof is too old (S13).
    """
    require_fresh_admin(actor)
    asked = parse_query(dict(zip(PARAMETERS, given, strict=False)))
    found = session.exec(_rows(_conditions(session, asked)).limit(MOST_EXPORTED)).all()
    lines = (line for row in _describe(session, found) for line in _lines(row))
    name = table_files.make_file_name("actes", clock.to_form(clock.now())[:10], extension="csv")
    return Download(name, table_files.CSV, table_files.write_csv(lines, _HEADERS))


def _known(value: str, values: Iterable[str]) -> str:
    return value if value in values else ""


def _href(path: str, asked: ActQuery) -> str:
    page = str(asked.page) if asked.page > 1 else ""
    values = (asked.text, asked.author, asked.group, asked.period, asked.subject, page)
    query = urlencode({name: value for name, value in zip(PARAMETERS, values, strict=True) if value})
    return f"{path}?{query}" if query else path


def _rows(where: list[Any]) -> Any:
    query = select(Act, ActChanges, ActPerson, Member.name).select_from(Act)
    query = query.join(ActChanges, col(ActChanges.act_id) == col(Act.id), isouter=True)
    query = query.join(ActPerson, col(ActPerson.id) == col(Act.actor_id), isouter=True)
    query = query.join(Member, col(Member.email) == col(ActPerson.email), isouter=True)
    return query.where(*where).order_by(col(Act.at).desc(), col(Act.number).desc())


def _conditions(session: Session, asked: ActQuery) -> list[Any]:
    found: list[Any] = []
    if asked.author:
        found.append(col(Act.actor_kind) == asked.author)
    if asked.group:
        found.append(col(Act.action).in_([code for code, kind in ACTS.items() if kind.group == asked.group]))
    if asked.period:
        found.append(col(Act.at) >= clock.now() - timedelta(days=int(asked.period)))
    if asked.subject:
        kind, _, identifier = asked.subject.partition(".")
        of_record = col(Act.subject).in_([identifier, *_reservations(session, kind, identifier)])
        people = audit.list_person_ids(session, None, identifier) if kind == MEMBER else []
        found.append(or_(of_record, col(Act.actor_id).in_(people)))
    words = fold(asked.text).split()[:5]
    if words:
        named = _named(session)
        found += [_matches(word, named) for word in words]
    return found


def _reservations(session: Session, kind: str, identifier: str) -> list[str]:
    """The reservations whose acts belong to the history of a member or an event."""
    column = {MEMBER: EventReservation.member_id, EVENT: EventReservation.event_id}.get(kind)
    return list(session.exec(select(EventReservation.id).where(column == identifier))) if column is not None else []


def _named(session: Session) -> list[tuple[str, str]]:
    """Identifier and folded name of whatever acts may name."""
    people = session.exec(
        select(ActPerson.id, ActPerson.email, Member.name).join(
            Member, col(Member.email) == col(ActPerson.email), isouter=True
        )
    )
    found = [(identifier, f"{email or ''} {name or ''}") for identifier, email, name in people]
    for table, name in ((Member, Member.name), (Company, Company.name), (Event, Event.title)):
        found += session.exec(select(table.id, name)).all()
    return [(identifier, fold(name)) for identifier, name in found]


def _matches(word: str, named: list[tuple[str, str]]) -> Any:
    identifiers = [identifier for identifier, name in named if word in name][:500]
    codes = [code for code in ACTS if word in fold(label_of(code)) or word == code]
    return or_(
        col(Act.actor_id).in_(identifiers),
        col(Act.subject).in_(identifiers),
        col(Act.action).in_(codes),
        func.lower(col(Act.operator)) == word,
    )


def _history_of(session: Session, subject: str) -> str:
    kind, _, identifier = subject.partition(".")
    if not identifier or kind not in SUBJECTS:
        return ""
    return _names(session, [(kind, identifier)]).get(identifier) or _gone(kind, identifier) or SUBJECTS[kind]


def _names(session: Session, subjects: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The names of records by identifier; one that is gone has none."""
    wanted: dict[str, set[str]] = {}
    for kind, identifier in subjects:
        wanted.setdefault(kind, set()).add(identifier)
    queries = {
        MEMBER: select(Member.id, Member.name),
        COMPANY: select(Company.id, Company.name),
        EVENT: select(Event.id, Event.title),
        PERSON: select(ActPerson.id, ActPerson.email),
        MAIL: select(OutboxMail.id, OutboxMail.recipient),
        SESSION: select(UserSession.id, UserSession.email),
    }
    found: dict[str, str] = {}
    for kind, query in queries.items():
        if kind in wanted:
            key: Any = query.selected_columns[0]
            rows = session.exec(query.where(key.in_(wanted[kind])))
            found |= {identifier: name or "" for identifier, name in rows}
    if RESERVATION in wanted:
        query = (
            select(EventReservation.id, Event.title, Member.name)
            .select_from(EventReservation)
            .join(Event, col(Event.id) == col(EventReservation.event_id))
            .join(Member, col(Member.id) == col(EventReservation.member_id), isouter=True)
        )
        rows = session.exec(query.where(col(EventReservation.id).in_(wanted[RESERVATION])))
        found |= {identifier: f"{name or _GONE[MEMBER]}, {title}" for identifier, title, name in rows}
    return found


def _describe(session: Session, found: Any) -> tuple[ActRow, ...]:
    acts = [act for act, *_ in found if act.subject and (act.subject_kind != SESSION or act.action in _OF_SOMEBODY)]
    others = [(MEMBER, str(act.detail["other"])) for act, *_ in found if "other" in act.detail]
    names = _names(session, [*((act.subject_kind, act.subject) for act in acts), *others])
    ids = {act.session_id for act, *_ in found if act.session_id}
    query = select(UserSession.id, UserSession.user_agent).where(col(UserSession.id).in_(ids))
    browsers = {key: session_list.name_browser(agent) for key, agent in session.exec(query)}
    return tuple(_row(*each, names=names | _names_of_people(session, each[0]), browsers=browsers) for each in found)


def _names_of_people(session: Session, act: Act) -> dict[str, str]:
    """The name of the one person of an event whom the detail of an act is about, by their id."""
    person = act.detail.get("person")
    found = name_people(session, act.subject, [str(person)]) if person else {}
    return {key: one.name for key, one in found.items()}


def _row(
    act: Act,
    changes: ActChanges | None,
    person: ActPerson | None,
    name: str | None,
    *,
    names: dict[str, str],
    browsers: dict[str, str],
) -> ActRow:
    who = _who(act, person, name)
    shown = tuple(ActChange(*each) for each in describe_changes(changes.content)) if changes else ()
    subject = names.get(act.subject) or _fallback(act)
    is_linked = act.subject_kind in (MEMBER, COMPANY, EVENT, PERSON) and act.subject != ""
    history = ActQuery(subject=f"{act.subject_kind}.{act.subject}")
    return ActRow(
        id=act.id,
        number=str(act.number or ""),
        action=act.action,
        label=label_of(act.action),
        when=clock.short_date(act.at),
        who=who,
        who_parts=tuple(split_address(who)),
        source=_source(act, browsers),
        subject_kind=SUBJECTS.get(act.subject_kind, "") if subject else "",
        subject=subject,
        subject_parts=tuple(split_address(subject)),
        subject_href=_href(routes.ADMIN_ACTS, history) if is_linked else "",
        note=describe_detail(
            act.action,
            {name: _named_value(names, name, value) for name, value in act.detail.items()},
        ),
        changes=shown,
        changes_label=f"{len(shown)} {'valeurs changées' if len(shown) > 1 else 'valeur changée'}" if shown else "",
    )


def _named_value(names: Mapping[str, str], name: str, value: Any) -> Any:
    """The name of the person that a detail points to."""
    if name == "other":
        return names.get(value) or _gone(MEMBER, str(value))
    return names.get(value, value) if name == "person" else value


def _fallback(act: Act) -> str:
    """The name of a record that is gone, as the act kept it, or what it was."""
    kept = act.detail.get("title") or act.detail.get("name")
    return str(kept) if kept and act.subject else _gone(act.subject_kind, act.subject) if act.subject else ""


def _gone(kind: str, identifier: str) -> str:
    """What stands for a record that is gone; for somebody always the same, and not the same as for others."""
    words = _GONE.get(kind, "")
    return f"{words} {identifier[:6]}" if kind in (MEMBER, PERSON) else words


def _who(act: Act, person: ActPerson | None, name: str | None) -> str:
    if act.actor_kind == audit.COMMAND:
        return "Ligne de commande"
    if act.actor_kind == audit.PROGRAM:
        return "Le site"
    if person is None:
        return "Visiteur" if act.actor_kind == audit.VISITOR else "Auteur inconnu"
    if person.email is None:
        return _gone(MEMBER, person.id)
    return f"{name}, {person.email}" if name else person.email


def _source(act: Act, browsers: dict[str, str]) -> str:
    if act.operator:
        return f"compte {act.operator}"
    if not act.session_id:
        return ""
    return ", ".join(filter(None, (browsers.get(act.session_id, ""), f"session {act.session_id[:6]}")))


def _lines(row: ActRow) -> list[tuple[str, ...]]:
    subject = ", ".join(filter(None, (row.subject_kind, row.subject)))
    told = (row.number, row.when, row.who, row.source, row.label, row.action, subject, row.note)
    return [(*told, each.label, each.before, each.after) for each in row.changes or (ActChange(),)]
