"""Each act makes exactly one entry, with the values before and after (T1)."""

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from typing import Any, NamedTuple

import pytest
from sqlmodel import Session, col, select

from clubapp import clock, tokens
from clubapp.database import reading, transaction
from clubapp.infra import refusal_counts
from clubapp.jobs import schedule
from clubapp.models import Act, ActChanges, Member, PlannedMailing, ReminderType, RightsRequest
from clubapp.services import backups
from clubapp.services.access import administrators, email_change, session_list, sessions, sign_in
from clubapp.services.answers import by_phone, signed_in
from clubapp.services.answers.answer_form import Answer
from clubapp.services.base import act_chain, upload_quota
from clubapp.services.base.act_codes import ACTS, GROUPS, SUBJECTS
from clubapp.services.base.actors import Actor
from clubapp.services.companies import editing as companies
from clubapp.services.events import editing as events
from clubapp.services.events import invitations
from clubapp.services.import_export import export_log
from clubapp.services.mail_log import queue_pause
from clubapp.services.mailings import broadcasts, signatures, test_mails, unsubscribe
from clubapp.services.mailings.broadcasts import BroadcastForm
from clubapp.services.members import editing as members
from clubapp.services.members import own_profile
from clubapp.services.privacy import rights_requests
from clubapp.services.reminders import settings as reminders
from clubapp.services.reminders import upcoming_mailings
from clubapp.services.reminders.settings import TypedReminder
from clubapp.services.seating import editing as seating
from tests.architecture.sources import dotted, forget, nodes, nodes_in
from tests.factories import add_admin, add_company, add_event, add_member, add_reservation
from tests.services.access.sign_ins import HELENE as HELENES_ADDRESS
from tests.services.access.sign_ins import MARIE as MARIES_ADDRESS
from tests.services.access.sign_ins import ask, code_of, newest, redeem, secrets_of
from tests.services.events.event_forms import TYPED as EVENT

HELENE = Actor(email=HELENES_ADDRESS, is_admin=True, session_id="s")


@dataclass(frozen=True)
class Stage:
    """A club with one of each."""

    marie: Actor
    company: str
    draft: str
    event: str
    reservation: str


@pytest.fixture
def stage(club: str, at: Callable[[str], datetime]) -> Stage:
    at("2026-11-20T10:00")
    with transaction() as session:
        add_admin(session, HELENE.email)
        company = add_company(session, city="Lille", activity_domain="Bâtiment & Travaux", description="Bâtir.")
        marie = add_member(session, email=MARIES_ADDRESS, role="Gérante", description="Là.", company_id=company.id)
        draft = add_event(session, title="Brouillon", date=clock.from_local("2027-01-14T12:00"), status="draft")
        event = add_event(session, title="Rencontre", date=clock.from_local("2027-02-14T12:00"), status="confirmed")
        reservation, _ = add_reservation(session, event, marie)
        reminders.create_missing(session)
        return Stage(
            Actor(MARIES_ADDRESS, member_id=marie.id, session_id="t"), company.id, draft.id, event.id, reservation.id
        )


def save_member(session: Session, stage: Stage) -> None:
    form = members.open_form(session, HELENE, stage.marie.member_id or "")
    members.save(session, HELENE, replace(form, role="Présidente"))


def save_company(session: Session, stage: Stage) -> None:
    companies.save(session, HELENE, replace(companies.open_form(session, HELENE, stage.company), city="Lens"))


def save_event(session: Session, stage: Stage) -> None:
    events.save(
        session,
        HELENE,
        replace(events.open_form(session, HELENE, stage.draft), title="Matinale", speakers=EVENT.speakers),
    )


def save_profile(session: Session, stage: Stage) -> None:
    form = own_profile.read_own_profile(session, stage.marie).form
    own_profile.save(session, stage.marie, replace(form, role="Directrice"))


def save_reminders(session: Session, stage: Stage) -> None:
    opened = reminders.open_settings(session, HELENE)
    typed = [TypedReminder(card.id, "9", card.is_active) for card in opened.cards]
    typed = [
        replace(each, template_subject=card.subject, template_content=card.content)
        for each, card in zip(typed, opened.cards, strict=True)
    ]
    reminders.save(session, HELENE, opened.seen, typed)


def save_signature(session: Session, stage: Stage) -> None:
    signatures.save(
        session,
        HELENE,
        replace(signatures.open_form(session, HELENE), sender_name="Léa", website="https://www.club.fr"),
    )


def change_address(session: Session, stage: Stage) -> None:
    member = session.get_one(Member, stage.marie.member_id)
    email_change.request_change(session, stage.marie, member, "new@durand.example")


ONE_ACT: dict[str, tuple[str, Callable[[Session, Stage], Any], dict[str, list[Any]]]] = {
    "admin added": ("admin.add", lambda s, _: administrators.add_administrator(s, HELENE, "lea@club.example"), {}),
    "member changed": ("member.updated", save_member, {"role": ["Gérante", "Présidente"]}),
    "member deleted": ("member.deleted", lambda s, on: members.delete(s, HELENE, on.marie.member_id or ""), {}),
    "company changed": ("company.updated", save_company, {"city": ["Lille", "Lens"]}),
    "company deleted": ("company.deleted", lambda s, on: companies.delete(s, HELENE, on.company), {}),
    "profile": ("profile.updated", save_profile, {"role": ["Gérante", "Directrice"]}),
    "visibility": (
        "profile.visibility",
        lambda s, on: own_profile.set_visibility(s, on.marie, "shows_phone", False),
        {"shows_phone": [True, False]},
    ),
    "address asked": ("email.requested", change_address, {"email": [MARIES_ADDRESS, "new@durand.example"]}),
    "event made": ("event.created", lambda s, _: events.save(s, HELENE, replace(EVENT, date="2027-03-14T12:00")), {}),
    "event changed": ("event.updated", save_event, {"title": ["Brouillon", "Matinale"]}),
    "event deleted": ("event.deleted", lambda s, on: events.delete(s, HELENE, on.draft), {}),
    "invitations": (
        "invitations.sent",
        lambda s, on: invitations.send_invitations(s, HELENE, on.draft, confirms=True),
        {"status": ["draft", "confirmed"]},
    ),
    "answer written down": (
        "answer.recorded",
        lambda s, on: by_phone.record_answer(s, HELENE, on.reservation, Answer(True, False, 1)),
        {"will_attend": [None, True], "guest_count": [0, 1]},
    ),
    "reminders": ("reminders.updated", save_reminders, {"event_reminder_1.days_before": [None, 9]}),
    "signature": ("signature.updated", save_signature, {"sender_name": [None, "Léa"]}),
    "broadcast": (
        "broadcast.saved",
        lambda s, _: broadcasts.save(s, HELENE, BroadcastForm(subject="Bonjour", content="Voici.")),
        {"subject": [None, "Bonjour"]},
    ),
    "test mail": (
        "test.sent",
        lambda s, on: test_mails.send_event_test(
            s, HELENE, to="a@b.example", event_id=on.event, email_type="invitation"
        ),
        {},
    ),
    "pause": ("mail.paused", lambda s, _: queue_pause.pause_queue(s, HELENE), {}),
    "opt out": (
        "member.opted_out",
        lambda s, on: unsubscribe.unsubscribe(
            s, f"{on.marie.member_id}.{tokens.derive(unsubscribe.PURPOSE, on.marie.member_id or '')}"
        ),
        {},
    ),
    "right asked": ("rights.asked", lambda s, on: rights_requests.request_right(s, on.marie, "erasure"), {}),
    "export": ("export", lambda s, _: export_log.record_export(s, HELENE, "membres.csv"), {}),
    "own data": ("export.own_data", lambda s, on: export_log.record_own_data(s, on.marie, "mes-donnees.json"), {}),
    "requested copy": (
        "export.requested_copy",
        lambda s, on: export_log.record_requested_copy(s, HELENE, "copie.zip", asked_copy(s, on)),
        {},
    ),
    "link made": ("sign_in.link_made", lambda s, _: sign_in.create_link(s, MARIES_ADDRESS), {}),
    "token made": ("token.made", lambda s, _: sessions.issue_admin_token(s, HELENE.email), {}),
    "upload": ("file.sent", lambda s, _: upload_quota.count_upload(s, HELENE, "avatars"), {}),
    "start page": (
        "admin.start_page",
        lambda s, _: administrators.choose_start_page(s, HELENE, True),
        {"opens_today": [False, True]},
    ),
    "tables": (
        "tables.changed",
        lambda s, on: seating.set_tables(s, HELENE, on.event, 3, 8),
        {"tables": [0, 3], "seats": [None, 8]},
    ),
    "everywhere": ("sign_out.everywhere", lambda s, on: sessions.sign_out_everywhere(s, on.marie), {}),
}


def asked_copy(session: Session, on: Stage) -> str:
    """A request for a copy, made before the acts that count."""
    now = clock.now()
    row = RightsRequest(kind="copy", name="Marie", member_id=on.marie.member_id, asked_at=now, due_at=now)
    session.add(row)
    return row.id


def entries() -> list[tuple[str, dict[str, Any]]]:
    with reading() as session:
        query = select(Act, ActChanges).join(ActChanges, isouter=True).order_by(col(Act.number))
        return [(act.action, changes.content if changes else {}) for act, changes in session.exec(query)]


BY_LINK_OR_COMMAND = {"member.opted_out", "sign_in.link_made"}


@pytest.mark.parametrize("name", ONE_ACT)
def test_an_act_is_one_entry_with_what_changed(stage: Stage, name: str) -> None:
    action, act, changed = ONE_ACT[name]
    with transaction() as session:
        act(session, stage)
    ((found, changes),) = entries()
    assert found == action
    for column, (before, after) in changed.items():
        assert changes[column][1] == after
        assert before is None or changes[column][0] == before
    with reading() as session:
        act_chain.verify(session)
        assert session.exec(select(Act.session_id)).one() or action in BY_LINK_OR_COMMAND


def test_an_administrator_who_is_removed_is_one_entry(stage: Stage) -> None:
    with transaction() as session:
        add_admin(session, "lea@club.example")
        administrators.remove_administrator(session, HELENE, "lea@club.example")
    assert entries() == [("admin.remove", {})]


def test_signing_in_and_out_are_one_entry_each(stage: Stage) -> None:
    nonce = ask()
    opened = redeem(newest(), nonce)
    assert isinstance(opened, sign_in.OpenedSession)
    with transaction() as session:
        sessions.sign_out(session, opened.cookie)
    with reading() as session:
        acts = session.exec(select(Act).order_by(col(Act.number))).all()
    assert [(act.action, act.actor_kind) for act in acts] == [("sign_in", "admin"), ("sign_out", "admin")]
    assert {act.session_id for act in acts} == {opened.cookie.partition(".")[0]}


def test_a_link_that_is_shown_again_is_one_entry_however_often(stage: Stage) -> None:
    nonce = ask()
    link = newest()
    redeem(link, nonce)
    for _ in range(3):
        with transaction() as session:
            sign_in.record_replay(session, secrets_of(link)[0])
            sign_in.record_replay(session, "never made")
    assert [action for action, _ in entries()] == ["sign_in", "sign_in.replayed"]


def test_a_session_that_is_renewed_or_replayed_is_one_entry(stage: Stage, later: Callable[..., None]) -> None:
    with transaction() as session:
        cookie, _ = sessions.open_session(session, HELENE.email)
    nonce = ask()
    with transaction() as session:
        renewed = sign_in.renew_session(session, cookie, code_of(newest()), nonce=nonce)
    assert isinstance(renewed, sign_in.RenewedSession)
    with transaction() as session:
        assert sessions.resolve_cookie(session, renewed.cookie)
    later(timedelta(minutes=5))
    for _ in range(2):
        with transaction() as session:
            assert sessions.resolve_cookie(session, cookie) is None
    assert [action for action, _ in entries()] == ["sign_in.renewed", "session.replayed"]


def test_other_sessions_ended_are_one_entry(stage: Stage) -> None:
    with transaction() as session:
        cookies = [sessions.open_session(session, HELENE.email)[0] for _ in range(3)]
        here = sessions.find_actor(session, cookies[0].partition(".")[0])
        assert here
        session_list.end_other_sessions(session, here)
    assert entries() == [("session.others_ended", {})]


def test_a_members_answer_is_in_its_own_history_and_in_no_entry(stage: Stage) -> None:
    """The way of an answer waits for nothing that the journal does."""
    with transaction() as session:
        signed_in.record_own_answer(session, stage.marie, stage.event, Answer(True, False, 0))
    assert entries() == []


def test_an_automatic_mailing_of_invitations_that_is_sent_by_hand_is_one_entry(stage: Stage) -> None:
    with transaction() as session:
        event = add_event(session, date=clock.from_local("2027-04-14T12:00"), status="confirmed")
        mailing = PlannedMailing(
            event_id=event.id, reminder_type=ReminderType.INVITATION, due_at=clock.now(), updated_at=clock.now()
        )
        session.add(mailing)
    with transaction() as session:
        upcoming_mailings.send_mailing_now(session, HELENE, mailing.id)
    assert [action for action, _ in entries()] == ["invitations.sent"]


def test_refusals_are_one_entry_in_numbers(club: str) -> None:
    refusal_counts.take()
    schedule.record_refusals()
    for _ in range(3):
        refusal_counts.count(refusal_counts.CODE)
    refusal_counts.count(refusal_counts.EVENT)
    schedule.record_refusals()
    schedule.record_refusals()
    with reading() as session:
        (act,) = session.exec(select(Act)).all()
    assert (act.action, act.actor_kind, act.detail) == ("refusals", "program", {"code": 3, "event": 1})


def test_the_backup_of_the_day_is_one_entry(club: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setattr(backups, "back_up_daily", lambda _hour: tmp_path / "club-2026-11-20.zip")
    schedule.back_up()
    assert [action for action, _ in entries()] == ["backup"]


# What is done by these leaves no value of before: something is made, ended, sent or counted.
WITHOUT_VALUES = {
    *("sign_in", "sign_in.renewed", "sign_in.replayed", "sign_in.link_made", "sign_in.links_voided"),
    *("sign_out", "sign_out.everywhere", "session.ended", "session.others_ended", "session.replayed", "token.made"),
    *("admin.add", "admin.remove", "email.cancelled", "refusals"),
    *("factor.add", "factor.remove", "factor.reset", "factor.used", "recovery_codes.renewed", "recovery_codes.voided"),
    *("member.deleted", "member.kept", "company.deleted", "event.deleted", "note.added", "note.deleted"),
    *("guest.declined", "guest.erased", "place.offered", "seats.proposed", "answer_links.renewed"),
    *("helper_link.made", "helper_link.withdrawn", "invitations.added", "invitation.resent", "notices.sent"),
    *("numbers.sent", "photographs.asked", "test.sent", "mail.resent", "mail.settled", "mail.paused", "mail.resumed"),
    *("broadcast.deleted", "broadcast.sent", "broadcast.paused", "broadcast.resumed", "broadcast.stopped"),
    *("planned.sent_by_hand", "rights.asked", "rights.answered", "file.sent", "export", "export.own_data"),
    *("export.requested_copy", "call.unanswered", "call.taken_back", "backup", "restore", "command", "alert"),
}
# A code that is put together, by how the source writes it: 'planned.done', 'members.imported', 'guest.opted_out'.
MADE_WITHOUT_VALUES = {"imported", "planned", "kind"}


class Recorded(NamedTuple):
    """Where an entry is written, the expression of its code, the same with constants replaced, and its arguments."""

    path: str
    written: str
    code: str
    words: set[str | None]


@cache
def constants_of(path: str) -> dict[str, str]:
    """Every name that a file assigns, and what."""
    constants = {}
    for node in nodes_in(path, ast.Assign):
        names, values = (getattr(side, "elts", [side]) for side in (node.targets[0], node.value))
        constants |= {ast.unparse(name): ast.unparse(value) for name, value in zip(names, values, strict=False)}
    return constants


@cache
def recorded_acts() -> list[Recorded]:
    """Every entry that the program can write."""
    found = []
    for path, call in nodes(ast.Call):
        if dotted(call.func) == "audit.record":
            code = ast.unparse(call.args[2])
            words = {word.arg for word in call.keywords}
            found.append(Recorded(path, code, constants_of(path).get(code, code), words))
    forget()
    return found


def test_every_code_has_the_values_of_before_and_after_or_is_named_as_having_none() -> None:
    """Fails when an act that changes something says only that it did."""
    bare = [(act.path, act.code) for act in recorded_acts() if "changes" not in act.words]
    assert len(bare) > 40
    made = {code for _, code in bare if code.startswith("f'")}
    assert [code for code in made if not any(noun in code for noun in MADE_WITHOUT_VALUES)] == []
    assert [(path, code) for path, code in bare if code.strip("'") not in WITHOUT_VALUES and code not in made] == []
    assert {
        code.strip("'") for _, code in bare
    } >= WITHOUT_VALUES  # none is named that has values, or is written no more
    assert set(ACTS) >= WITHOUT_VALUES


def test_every_code_that_is_recorded_has_its_words() -> None:
    """Codes that are put together are spelled out here."""
    written, left = ("created", "updated"), ("opted_out", "opted_in")
    made = {"member": (*written, *left), "company": written, "guest": left, "planned": (), "imported": (), "kind": ()}
    found = set()
    for path, text, _, _ in recorded_acts():
        found |= set(re.findall(r"'([a-z_]+(?:\.[a-z_]+)*)'", text)) if not text.startswith("f") else set()
        assert not text.startswith("f") or any(noun in text for noun in made), (path, text)
    assert {code for code in found if code not in ACTS and "." in code} == set()
    assert {f"{noun}.{verb}" for noun, verbs in made.items() for verb in verbs} <= set(ACTS)
    assert {kind.group for kind in ACTS.values()} == set(GROUPS)
    assert {kind.subject for kind in ACTS.values()} - {""} <= set(SUBJECTS)
