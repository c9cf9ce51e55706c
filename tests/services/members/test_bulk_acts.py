"""Acts on several members at once: who may, how many, what is noted of them, and who is asked for a photograph."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from sqlmodel import col, select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.mail.messages import mail_kinds
from clubapp.mail.messages.letter import Withdrawn
from clubapp.models import Act, EventReservation, Member, OutboxMail
from clubapp.refusals import Forbidden, Invalid, ProofRequired, Refusal
from clubapp.services.access import sessions
from clubapp.services.base.actors import VISITOR, Actor
from clubapp.services.import_export import exports
from clubapp.services.members import bulk_acts
from clubapp.services.monitoring import acts
from tests.factories import add_event, add_member, add_reservation
from tests.statements import counted

HELENE = Actor(email="helene@beffroi.example", is_admin=True, session_id="s")
UNPROVEN = Actor(email="helene@beffroi.example", is_admin=True, session_id="s", needs_proof=True)
MARIE = Actor(email="marie@durand.example", member_id="m", session_id="t")
ACTS: tuple[Callable[..., Any], ...] = (
    bulk_acts.read_selection,
    bulk_acts.deactivate,
    lambda session, actor, ids: bulk_acts.change_domain(session, actor, ids, "Digital & Communication"),
    bulk_acts.ask_for_photographs,
    exports.export_chosen_members,
)


@pytest.fixture
def people(club: str, at: Callable[[str], datetime]) -> dict[str, str]:
    at("2026-11-20T10:00")
    with transaction() as session:
        names = ("Zoé", "Éric", "Marie", "Paul", "Ada", "Basile", "Carla")
        return {name: add_member(session, name, f"{name}@e.example".lower()).id for name in names}


@pytest.mark.parametrize("act", ACTS)
def test_only_an_administrator_acts_on_several_and_on_300_at_most(club: str, act: Callable[..., Any]) -> None:
    for actor in (VISITOR, MARIE):
        with pytest.raises(Forbidden), transaction() as session:
            act(session, actor, ["m"])
    with pytest.raises(Invalid, match="300"), transaction() as session:
        act(session, HELENE, [str(number) for number in range(301)])
    with pytest.raises(Refusal, match="n’existe encore"), transaction() as session:
        act(session, HELENE, ["gone"])


@pytest.mark.parametrize("act", ACTS[-2:])
def test_mail_and_export_ask_for_a_recent_proof(people: dict[str, str], act: Callable[..., Any]) -> None:
    with pytest.raises(ProofRequired), transaction() as session:
        act(session, UNPROVEN, list(people.values()))


def test_the_question_names_those_who_are_still_there(people: dict[str, str]) -> None:
    with transaction() as session:
        session.get_one(Member, people["Paul"]).is_active = False
    with reading() as session:
        everybody = bulk_acts.read_selection(session, HELENE, [*people.values(), "gone"])
        two = bulk_acts.read_selection(session, HELENE, [people["Zoé"], people["Éric"]])
    assert (everybody.count, everybody.active, everybody.askable) == (7, 6, 6)
    assert everybody.names == "Ada, Basile, Carla, Éric, Marie et 2 autres"
    assert (two.names, two.count) == ("Éric et Zoé", 2)
    with pytest.raises(Refusal, match="déjà inactifs"), reading() as session:
        bulk_acts.read_selection(session, HELENE, [people["Paul"]], bulk_acts.INACTIVE)


def test_several_are_made_inactive_as_one_by_one(people: dict[str, str]) -> None:
    chosen = [people["Zoé"], people["Éric"]]
    with transaction() as session:
        event = add_event(session, date=clock.from_local("2026-12-10T12:00"), status="confirmed")
        add_reservation(session, event, session.get_one(Member, people["Zoé"]), will_attend=True)
        sessions.open_session(session, "zoé@e.example")
        session.get_one(Member, people["Éric"]).is_active = False
    with transaction() as session:
        assert bulk_acts.deactivate(session, HELENE, chosen) == 1
    with reading() as session:
        assert set(session.exec(select(Member.name).where(~col(Member.is_active)))) == {"Zoé", "Éric"}
        assert session.exec(select(EventReservation.withdrawn_at)).one() == clock.now()
        noted = session.exec(select(Act.subject).where(Act.action == "member.updated")).all()
        assert noted == [people["Zoé"]]


def test_several_get_a_domain_and_each_change_is_noted_with_its_values(people: dict[str, str]) -> None:
    chosen, domain = [people["Zoé"], people["Éric"]], "Digital & Communication"
    with transaction() as session:
        session.get_one(Member, people["Éric"]).activity_domain = domain
    with pytest.raises(Invalid), transaction() as session:
        bulk_acts.change_domain(session, HELENE, chosen, "Astrologie")
    with transaction() as session:
        assert bulk_acts.change_domain(session, HELENE, chosen, domain) == 1
    with reading() as session:
        found = session.exec(select(Member.name).where(Member.activity_domain == domain))
        assert set(found) == {"Zoé", "Éric"}
        ((_, change),) = acts.list_changes_of(session, HELENE, people["Zoé"], 5)
        assert [(each.before, each.after) for each in change.changes] == [("vide", domain)]


def test_those_without_a_photograph_are_asked_once_in_thirty_days(
    people: dict[str, str], at: Callable[[str], datetime]
) -> None:
    now = clock.now()
    for name, given in {
        "Zoé": {"image_url": "/media/z.jpg"},
        "Éric": {"email": None},
        "Paul": {"is_active": False},
        "Ada": {"opted_out_at": now},
        "Basile": {"email_failed_at": now},
    }.items():
        with transaction() as session:
            session.get_one(Member, people[name]).sqlmodel_update(given)
    with transaction() as session:
        assert bulk_acts.ask_for_photographs(session, HELENE, list(people.values())) == 2
    with pytest.raises(Refusal, match="Personne à qui écrire"), transaction() as session:
        bulk_acts.ask_for_photographs(session, HELENE, list(people.values()))
    with pytest.raises(Refusal, match="Personne à qui écrire"), reading() as session:  # nor is it asked
        bulk_acts.read_selection(session, HELENE, list(people.values()), bulk_acts.PHOTOGRAPH)
    with reading() as session:
        mails = session.exec(select(OutboxMail).order_by(col(OutboxMail.recipient))).all()
        assert [mail.recipient for mail in mails] == ["carla@e.example", "marie@e.example"]
        letter = mail_kinds.compose(session, mails[0])
        assert letter.context["link"].endswith("/member")
        assert letter.unsubscribe
        assert session.exec(select(Act.detail).where(Act.action == "photographs.asked")).one() == {"count": 2}
    with transaction() as session:
        session.get_one(Member, people["Carla"]).image_url = "/media/c.jpg"
    with pytest.raises(Withdrawn, match="ajouté sa photo"), reading() as session:
        mail_kinds.compose(session, mails[0])
    at("2026-12-21T10:00")
    with transaction() as session:
        assert bulk_acts.ask_for_photographs(session, HELENE, list(people.values())) == 1


def test_an_export_of_a_selection_holds_it_alone_and_is_noted(people: dict[str, str]) -> None:
    with transaction() as session:
        file = exports.export_chosen_members(session, HELENE, [people["Zoé"], people["Éric"]])
    lines = file.content.decode("utf-8-sig").splitlines()
    assert [line.split(";")[0].strip('"') for line in lines[1:]] == ["Éric", "Zoé"]
    with reading() as session:
        assert session.exec(select(Act.detail).where(Act.action == "export")).one() == {"file": file.name}


def test_the_question_and_the_domain_cost_the_queries_of_one(people: dict[str, str]) -> None:
    costs = []
    for ids in ([people["Zoé"]], list(people.values())):
        with counted() as queries, reading() as session:
            bulk_acts.read_selection(session, HELENE, ids)
        costs.append(len(queries))
    assert costs[0] == costs[1]
