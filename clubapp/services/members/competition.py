"""Competition between members: the club takes nobody in direct competition with an existing member (D1).

Two members compete when they share an activity domain, or when a service, an expertise or the trade in the role of one
is worded much like one of the other's; services of their companies count too. Colleagues of one company do not compete.
The animator decides on each pair, and the decision is valid until one of the two changes trade. Pairs with similar
terms that are saved without a decision stay a task until it is made; those that only share a domain are no question.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import or_
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.models import Company, CompetitionDecision, CompetitionTask, CompetitionVerdict, Member
from clubapp.refusals import Invalid, NotFound
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.base.form_fields import LONGEST_LINE, InvalidForm, clean_line
from clubapp.services.base.search import fold
from clubapp.services.members import editing
from clubapp.services.members.admin_form import MemberForm
from clubapp.services.members.near_trades import compare_terms, find_trades

MOST_SHOWN = 60
MOST_TASKS = 50
_TEXT = "\u00a0; "
NO_REASON = "Indiquez pourquoi cette concurrence est acceptée."
WHICH = "Choisissez «\u00a0Compatible\u00a0» ou «\u00a0Acceptée\u00a0»."
GONE = "Ce membre n’existe plus."
VERDICTS = {CompetitionVerdict.COMPATIBLE: "Compatible", CompetitionVerdict.ACCEPTED: "Concurrence acceptée"}


@dataclass(frozen=True)
class Trade:
    """The trade of a person. `member_id` and `company_id` are empty when there is none yet.

    `terms` are expertise and services; `role` is as typed.
    """

    member_id: str = ""
    company_id: str = ""
    domain: str = ""
    terms: tuple[str, ...] = ()
    role: str = ""

    @property
    def compared(self) -> tuple[str, ...]:
        """What is compared: the terms and the trades that the role names."""
        return tuple(dict.fromkeys((*self.terms, *find_trades(self.role))))

    @property
    def text(self) -> str:
        """The trade as text, stored with a decision to detect a change of trade."""
        return _TEXT.join((self.former_text, ", ".join(find_trades(self.role)) or "sans métier"))

    @property
    def former_text(self) -> str:
        """The text without the role, as stored with decisions made before roles were compared."""
        return _TEXT.join(part for part in (self.domain, ", ".join(sorted(set(self.terms), key=fold))) if part)


@dataclass(frozen=True)
class Competitor:
    """A member with a similar trade. `likeness` is 0 to 100; `alike` are their terms that clash, `others` the rest.

    `verdict` is 'compatible', 'accepted', or empty without a valid decision; `decided` says by whom and when it was
    made, and whether a trade has changed since.
    """

    member_id: str
    name: str
    company: str
    domain: str
    is_same_domain: bool
    likeness: int
    alike: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    verdict: str = ""
    reason: str = ""
    decided: str = ""


@dataclass(frozen=True)
class Decision:
    """A decision about one competitor, taken in the form of a member."""

    other_id: str
    verdict: str
    reason: str = ""


@dataclass(frozen=True)
class UndecidedPair:
    """Two members with near trades without a decision, which is made in the form of the first."""

    member_id: str
    names: str
    since: str


@dataclass(frozen=True)
class _Person:
    trade: Trade
    name: str
    company: str


def find_competitors(session: Session, actor: Actor, asked: Trade) -> tuple[Competitor, ...]:
    """The competitors of a person: the near ones by domain and likeness, then those who share but the domain.

    `asked` is the trade as typed in the form; the services of its company are added.
    """
    require_admin(actor)
    return _competitors(session, asked)


def _competitors(session: Session, asked: Trade) -> tuple[Competitor, ...]:
    people = _people(session)
    services = dict(session.exec(select(Company.id, Company.services)).all())
    mine = _with_company(asked, services)
    if not mine.domain and not mine.compared:
        return ()
    decisions = _latest_decisions(session, asked.member_id) if asked.member_id else {}
    found = [
        _competitor(mine, other, decisions.get(other.trade.member_id))
        for other in people
        if other.trade.member_id != asked.member_id
        and not (asked.company_id and other.trade.company_id == asked.company_id)
    ]
    near = [each for each in found if each.is_same_domain or each.likeness]
    near.sort(key=lambda each: (not each.likeness, not each.is_same_domain, -each.likeness, fold(each.name)))
    return tuple(near[:MOST_SHOWN])


def record_decisions(session: Session, actor: Actor, member_id: str, decisions: Iterable[Decision]) -> None:
    """Record the decisions about a member and others; decisions that are already valid are skipped.

    Raises:
        Invalid: for an unknown verdict.
        InvalidForm: when an accepted competition has no reason, by `reason_field_name`.
        NotFound: when one of the two was deleted.
    """
    require_admin(actor)
    decisions = tuple(decisions)
    _require_reasons(decisions)
    trades = {person.trade.member_id: person.trade for person in _people(session, active_only=False)}
    standing = _latest_decisions(session, member_id)
    for each in decisions:
        reason = clean_line(each.reason)[:LONGEST_LINE]
        if member_id not in trades or each.other_id not in trades or each.other_id == member_id:
            raise NotFound(GONE)
        trade, last = _pair_text(trades[member_id], trades[each.other_id]), standing.get(each.other_id)
        if last and (last.verdict, last.reason, last.trade) == (each.verdict, reason, trade):
            continue
        session.add(
            CompetitionDecision(
                member_id=member_id,
                other_id=each.other_id,
                verdict=each.verdict,
                reason=reason,
                trade=trade,
                decided_by=actor.email,
                decided_at=clock.now(),
            )
        )
        changes = {"verdict": (last.verdict if last else None, each.verdict)}
        audit.record(session, actor, "competition.decided", member_id, changes=changes, other=each.other_id)
    session.flush()


def save_member(session: Session, actor: Actor, typed: MemberForm, decisions: Sequence[Decision]) -> str:
    """Save a member's form and the decisions taken in it. What is near and undecided becomes a task.

    Raises:
        Refusal: as `editing.save` and `record_decisions`; the caller rolls back.
    """
    member_id = editing.save(session, actor, typed)
    record_decisions(session, actor, member_id, decisions)
    _keep_tasks(session, member_id)
    return member_id


def list_undecided(session: Session, actor: Actor) -> tuple[UndecidedPair, ...]:
    """The pairs of active members that wait for a decision, the oldest first."""
    require_admin(actor)
    other = aliased(Member)
    columns: Any = (CompetitionTask.member_id, Member.name, other.name, CompetitionTask.created_at)
    query = (
        select(*columns)
        .join(Member, col(Member.id) == CompetitionTask.member_id)
        .join(other, col(other.id) == CompetitionTask.other_id)
        .where(col(Member.is_active), col(other.is_active))
        .order_by(col(CompetitionTask.created_at), col(Member.name), col(other.name))
        .limit(MOST_TASKS)
    )
    return tuple(
        UndecidedPair(member_id, f"{name} et {competitor}", f"depuis le {clock.long_day(at)}")
        for member_id, name, competitor, at in session.exec(query).all()
    )


def split_terms(expertise: str, services: str) -> tuple[str, ...]:
    """Split two comma-separated fields into terms."""
    return tuple(term for text in (expertise, services) for term in map(clean_line, text.split(",")) if term)


def reason_field_name(other_id: str) -> str:
    """The name of the form field that holds the reason of a decision."""
    return f"reason-{other_id}"


def _keep_tasks(session: Session, member_id: str) -> None:
    """Make the tasks of a member those of the near competitors without a valid decision."""
    session.flush()
    trade = next((each.trade for each in _people(session) if each.trade.member_id == member_id), None)
    near = [each for each in _competitors(session, trade) if each.likeness] if trade else []
    wanted = {each.member_id for each in near if not each.verdict}
    about = or_(col(CompetitionTask.member_id) == member_id, col(CompetitionTask.other_id) == member_id)
    for task in session.exec(select(CompetitionTask).where(about)).all():
        other = task.other_id if task.member_id == member_id else task.member_id
        if other in wanted:
            wanted.discard(other)
        else:
            session.delete(task)
    for other in wanted:
        session.add(CompetitionTask(member_id=member_id, other_id=other, created_at=clock.now()))
    session.flush()


def _require_reasons(decisions: Sequence[Decision]) -> None:
    if any(each.verdict not in set(CompetitionVerdict) for each in decisions):
        raise Invalid(WHICH)
    accepted = (each for each in decisions if each.verdict == CompetitionVerdict.ACCEPTED)
    if missing := {reason_field_name(each.other_id): NO_REASON for each in accepted if not clean_line(each.reason)}:
        raise InvalidForm(missing)


def _people(session: Session, *, active_only: bool = True) -> list[_Person]:
    """Every member with their trade, in two queries."""
    services = dict(session.exec(select(Company.id, Company.services)).all())
    columns: Any = (Member.id, Member.name, Member.company, Member.company_id, Member.activity_domain)
    terms: Any = (Member.expertise, Member.services, Member.role)
    query = select(*columns, *terms)
    if active_only:
        query = query.where(col(Member.is_active))
    return [
        _Person(
            _with_company(
                Trade(row.id, row.company_id or "", row.activity_domain, (*row.expertise, *row.services), row.role),
                services,
            ),
            row.name,
            row.company,
        )
        for row in session.exec(query).all()
    ]


def _with_company(trade: Trade, services: Mapping[str, Sequence[str]]) -> Trade:
    terms = dict.fromkeys((*trade.terms, *services.get(trade.company_id, ())))
    return replace(trade, terms=tuple(terms))


def _competitor(mine: Trade, other: _Person, decision: CompetitionDecision | None) -> Competitor:
    likeness, alike = compare_terms(mine.compared, other.trade.compared)
    stands = decision is not None and decision.trade in _pair_texts(mine, other.trade)
    return Competitor(
        member_id=other.trade.member_id,
        name=other.name,
        company=other.company,
        domain=other.trade.domain,
        is_same_domain=bool(mine.domain) and mine.domain == other.trade.domain,
        likeness=likeness,
        alike=tuple(alike),
        others=tuple(term for term in other.trade.compared if term not in alike),
        verdict=decision.verdict if decision and stands else "",
        reason=decision.reason if decision else "",
        decided=_describe_decision(decision, stands=stands) if decision else "",
    )


def _pair_text(one: Trade, other: Trade) -> str:
    """Both trades as one text, in the same order from either side."""
    return " | ".join(sorted((one.text, other.text)))


def _pair_texts(one: Trade, other: Trade) -> tuple[str, str]:
    """The texts that a decision about two trades may hold."""
    return _pair_text(one, other), " | ".join(sorted((one.former_text, other.former_text)))


def _latest_decisions(session: Session, member_id: str) -> dict[str, CompetitionDecision]:
    """The latest decision about a member and each other member, by the other's id."""
    either = or_(col(CompetitionDecision.member_id) == member_id, col(CompetitionDecision.other_id) == member_id)
    rows = session.exec(
        select(CompetitionDecision).where(either).order_by(col(CompetitionDecision.decided_at), CompetitionDecision.id)
    )
    return {row.other_id if row.member_id == member_id else row.member_id: row for row in rows}


def _describe_decision(decision: CompetitionDecision, *, stands: bool) -> str:
    """'Compatible, décidé par helene@club.example le 20/11/2026 10:00'."""
    verdict = VERDICTS[CompetitionVerdict(decision.verdict)]
    told = f"{verdict}, décidé par {decision.decided_by} le {_date(decision.decided_at)}"
    return told if stands else f"{told}, avant un changement d’activité\u00a0: à revoir"


def _date(moment: datetime) -> str:
    return clock.short_date(moment)
