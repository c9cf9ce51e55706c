"""Acts that last need a proof at most ten minutes old, by whatever route they are called (S13)."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlmodel import Session
from starlette.applications import Starlette
from starlette.testclient import TestClient

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.refusals import ProofRequired
from clubapp.services.access import administrators, factor_loss, fresh_proof, sessions, sign_in
from clubapp.services.access.sign_in import RenewedSession
from clubapp.services.attendance import event_exports
from clubapp.services.base.actors import SYSTEM, Actor
from clubapp.services.events import announcement, invitation_follow_up, invitations
from clubapp.services.import_export import exports, import_run
from clubapp.services.mail_log import queue_pause, resending
from clubapp.services.mailings import broadcasts, signatures
from clubapp.services.members import editing, own_profile
from clubapp.services.members.admin_form import MemberForm
from clubapp.services.reminders import upcoming_mailings
from clubapp.web.endpoints import downloads, functions_api
from tests.factories import add_admin, add_event, add_member
from tests.services.access import second_factors
from tests.services.access.open_sessions import sign_in as open_session
from tests.services.access.open_sessions import who
from tests.services.access.second_factors import add_app, now_of, person_of, type_code
from tests.services.access.sign_ins import HELENE, MARIE, ask, code_of, link_of

Later = Callable[[timedelta], None]
STALE = timedelta(minutes=10, seconds=1)
LASTING: dict[str, Callable[[Session, Actor], Any]] = {
    "an administrator is added": lambda session, actor: administrators.add_administrator(session, actor, "a@b.example"),
    "an administrator is removed": lambda session, actor: administrators.remove_administrator(session, actor, HELENE),
    "factors are reset": lambda session, actor: factor_loss.reset_factors(session, actor, MARIE),
    "members are exported": exports.export_members_csv,
    "members are exported as a workbook": exports.export_members_xlsx,
    "companies are exported": exports.export_companies_csv,
    "companies are exported as a workbook": exports.export_companies_xlsx,
    "answers are exported": lambda session, actor: event_exports.answers_csv(session, actor, "x"),
    "answers are exported as a workbook": lambda session, actor: event_exports.answers_xlsx(session, actor, "x"),
    "the sheet of an event is downloaded": lambda session, actor: event_exports.attendance(session, actor, "x"),
    "invitations are sent": lambda session, actor: invitations.send_invitations(session, actor, "x"),
    "newcomers are invited": lambda session, actor: invitation_follow_up.invite_newcomers(session, actor, "x"),
    "a broadcast is sent": lambda session, actor: broadcasts.send_broadcast(session, actor, "x"),
    "a paused broadcast is resumed": lambda session, actor: broadcasts.resume_broadcast(session, actor, "x"),
    "the pause of all mail is ended": queue_pause.end_pause,
    "the numbers and names of an event are sent": lambda session, actor: announcement.announce(session, actor, "x"),
    "a planned mailing is sent": lambda session, actor: upcoming_mailings.send_mailing_now(session, actor, "x"),
    "an address is corrected": lambda session, actor: resending.correct_and_resend(session, actor, "x", "a@b.example"),
    "the signature is changed": lambda session, actor: signatures.save(session, actor, signatures.SignatureForm()),
    "a member is erased": lambda session, actor: editing.delete(session, actor, "x"),
    "a table is imported": lambda session, actor: import_run.run_import(session, actor, "x", lambda _count: None),
}


@pytest.fixture(autouse=True)
def people(club: str, later: Later) -> None:
    with transaction() as session:
        add_admin(session, HELENE)
        add_member(session, email=MARIE)


@pytest.mark.parametrize("act", LASTING)
def test_a_session_with_an_old_proof_does_nothing_that_lasts(act: str, later: Later) -> None:
    helene = person_of()
    later(STALE)
    with pytest.raises(ProofRequired), transaction() as session:
        LASTING[act](session, now_of(helene.session_id))


def test_a_sign_in_is_a_proof_for_ten_minutes(later: Later) -> None:
    helene = person_of()
    assert not helene.needs_proof
    later(timedelta(minutes=10))
    assert not now_of(helene.session_id).needs_proof
    later(timedelta(seconds=1))
    assert now_of(helene.session_id).needs_proof


@pytest.mark.parametrize("before", ["luc@petit.example", None])
def test_a_member_s_address_is_changed_with_a_recent_proof_only(before: str | None) -> None:
    """Fails when an old session gives the record of a member without an address to whoever receives its mail."""
    with transaction() as session:
        member = add_member(session, "Luc Petit", before, role="x", description="x", company="x")
        typed = editing.open_form(session, SYSTEM, member.id)
    stale = Actor(HELENE, is_admin=True, session_id="s", needs_proof=True)
    with pytest.raises(ProofRequired), transaction() as session:
        editing.save(session, stale, replace(typed, email="autre@petit.example"), optional=frozenset({"email"}))
    with transaction() as session:
        editing.save(session, stale, replace(typed, role="Gérant"), optional=frozenset({"email"}))


def test_a_new_member_needs_no_recent_proof() -> None:
    stale = Actor(HELENE, is_admin=True, session_id="s", needs_proof=True)
    typed = MemberForm(name="Luc Petit", email="luc@petit.example", role="x", description="x")
    with transaction() as session:
        assert editing.save(session, stale, typed, optional=frozenset({"company_id"}))


def test_one_s_own_address_too() -> None:
    marie = replace(person_of(MARIE), needs_proof=True)
    with reading() as session:
        typed = own_profile.read_own_profile(session, marie).form
    with pytest.raises(ProofRequired), transaction() as session:
        own_profile.save(session, marie, replace(typed, email="neuve@durand.example"))
    with reading() as session:
        assert not own_profile.read_own_profile(session, marie).pending.email


def test_a_code_by_mail_is_a_proof_of_whoever_has_no_factor(later: Later) -> None:
    cookie = open_session(HELENE)
    later(STALE)
    nonce = ask(HELENE)
    with transaction() as session:
        done = sign_in.renew_session(session, cookie, code_of(link_of(nonce)), nonce=nonce)
    assert isinstance(done, RenewedSession)
    renewed = who(done.cookie)
    assert renewed is not None
    assert not renewed.needs_proof


def test_a_code_by_mail_proves_nothing_more_of_whoever_has_a_factor(later: Later) -> None:
    helene = person_of()
    app, _ = add_app(helene)
    cookie = open_session(HELENE)
    later(STALE)
    nonce = ask(HELENE)
    with transaction() as session:
        done = sign_in.renew_session(session, cookie, code_of(link_of(nonce)), nonce=nonce)
    assert isinstance(done, RenewedSession)
    stale = who(done.cookie)
    assert stale is not None
    assert stale.needs_proof
    with reading() as session:
        means = fresh_proof.read_means(session, stale)
    assert (means.app_id, means.passkey_id, means.is_by_mail) == (app.id, "", False)
    type_code(stale, app, second_factors.code_of(app))
    assert not now_of(stale.session_id).needs_proof


def test_a_bearer_token_is_as_old_as_the_proof_of_its_session(later: Later) -> None:
    with transaction() as session:
        event = add_event(session, date=clock.now() + timedelta(days=20), status="confirmed")
        token = sessions.issue_admin_token(session, HELENE, lifetime=timedelta(minutes=60)).token
    script = TestClient(Starlette(routes=functions_api.routes()))
    script.headers["Authorization"] = f"Bearer {token}"
    later(STALE)
    for path, body in (
        ("/functions/send-event-invitations", {"eventId": event.id}),
        ("/functions/send-broadcast-email", {"broadcastId": "x"}),
    ):
        answer = script.post(path, json=body)
        assert answer.status_code == 403
        assert "preuve récente" in answer.json()["error"]


def test_a_file_of_the_administration_is_not_fetched_with_an_old_proof(later: Later) -> None:
    browser = TestClient(Starlette(routes=downloads.routes()), follow_redirects=False)
    browser.cookies.set("session", open_session(HELENE))
    assert browser.get("/admin/exports/membres.csv").status_code == 200
    later(STALE)
    for path in ("membres.csv", "membres.xlsx", "entreprises.csv", "entreprises.xlsx"):
        assert browser.get(f"/admin/exports/{path}").status_code == 403
