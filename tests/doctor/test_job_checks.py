"""What the doctor says of the jobs and of the queue, and what the Santé screen makes of it."""

import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

import pytest
from sqlmodel import select

from clubapp import clock, doctor, routes
from clubapp.database import reading, transaction
from clubapp.doctor import Check, Level, Report, job_checks, report
from clubapp.doctor.check_runner import CheckRunner
from clubapp.infra import job_status
from clubapp.jobs import schedule
from clubapp.mail.queue import outbox, pause
from clubapp.models import MailState, OutboxMail
from clubapp.refusals import Forbidden
from clubapp.services.base.actors import SYSTEM, VISITOR

At = Callable[[str], datetime]
JOB = "send-mail"


@pytest.fixture
def served(environment: pytest.MonkeyPatch, at: At) -> Iterator[None]:
    """A server that was started at ten in Paris."""
    at("2026-11-20T09:00")
    schedule.expect_jobs()
    yield
    job_status._runs.clear()


def job(name: str) -> Check:
    label = next(each.label for each in schedule.JOBS if each.name == name)
    return next(check for check in job_checks.check_jobs() if check.name == label)


def mail() -> dict[str, Check]:
    with reading() as session:
        return {check.name: check for check in job_checks.check_mail(session)}


def queued(**given: object) -> None:
    with transaction() as session:
        outbox.queue_mail(session, kind="test", key="one", recipient="marie@club.example")
        row = session.exec(select(OutboxMail)).one()
        row.sqlmodel_update(given)
        session.add(row)


def test_every_job_has_a_name_that_people_understand() -> None:
    labels = {job.label for job in schedule.JOBS}
    assert len(labels - {""}) == len(schedule.JOBS)


def test_a_job_that_runs_is_well_and_one_to_come_says_when(served: None, at: At) -> None:
    job_status.record_begin(JOB)
    job_status.record_end(JOB)
    assert job(JOB) == Check("remise des e-mails", Level.OK, "dernier passage à 10:00")
    assert job("forget").text == "premier passage à 11:00"


def test_a_job_that_runs_no_more_is_told(served: None, at: At) -> None:
    job_status.record_end(JOB)
    at("2026-11-20T09:02")
    told = job(JOB)
    assert (told.level, told.text) == (Level.FAILED, "ne passe plus depuis 10:00")
    assert told.mend.startswith("redémarrez le serveur")
    assert job("forget").level is Level.OK


def test_a_run_that_never_ends_is_told(served: None, at: At) -> None:
    job_status.record_begin(JOB)
    at("2026-11-20T09:14")
    assert job(JOB).level is Level.OK
    at("2026-11-21T09:16")
    told = job(JOB)
    assert (told.level, told.text) == (Level.WARNING, "en cours depuis 20/11/2026 à 10:00")


def test_a_run_that_failed_leaves_its_reference(
    served: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken() -> None:
        raise ValueError("no room")

    schedule._run(schedule.Job(JOB, "remise des e-mails", 1, broken))
    told = job(JOB)
    reference = caplog.records[-1].getMessage().rsplit(" ", 1)[-1]
    assert told.level is Level.FAILED
    assert told.text.endswith(f"a échoué, référence {reference}")
    schedule._run(schedule.Job(JOB, "remise des e-mails", 1, lambda: None))
    assert job(JOB).level is Level.OK


def test_a_quiet_queue_is_well(club: str) -> None:
    assert {check.level for check in mail().values()} == {Level.OK}


def test_a_queue_where_nothing_leaves_is_told(club: str, at: At) -> None:
    at("2026-11-20T09:00")
    queued()
    assert mail()["messages en attente"].text == "le plus ancien depuis 10:00"
    at("2026-11-20T09:20")
    told = mail()["messages en attente"]
    assert (told.level, told.mend) == (Level.FAILED, "vérifiez le serveur d’envoi")
    with transaction() as session:
        pause.begin_pause(session, "helene@beffroi.example", "Les envois ont été suspendus par Hélène.")
    assert mail()["messages en attente"].level is Level.WARNING
    told = mail()["file d’envoi"]
    assert told.text.startswith("en pause. Les envois ont été suspendus par Hélène. ")
    assert told.mend == "«\u00a0Reprendre\u00a0» en haut de la page Santé, ou «\u00a0mail resume\u00a0»"


def test_a_message_that_the_relay_puts_off_is_told_with_the_place_to_read_why(club: str, at: At) -> None:
    at("2026-11-20T09:00")
    queued(attempts=3)
    at("2026-11-20T09:20")
    told = mail()["messages en attente"]
    assert (told.level, told.page) == (Level.WARNING, "/admin/envois?etat=waiting")


@pytest.mark.parametrize(("state", "name"), [("failed", "messages refusés"), ("uncertain", "messages incertains")])
def test_what_ended_badly_is_told_with_the_place_to_mend_it(club: str, state: str, name: str) -> None:
    queued(state=MailState(state))
    told = mail()[name]
    assert (told.level, told.page) == (Level.WARNING, f"/admin/envois?etat={state}")
    assert told.text.startswith("1 message en")


def test_the_slow_looks_are_taken_in_the_background_one_round_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    walks = 0

    def slowly(_acts: object) -> Iterator[Check]:
        nonlocal walks
        walks += 1
        time.sleep(0.1)
        yield Check("réglages", Level.OK, "adresse")

    monkeypatch.setattr("clubapp.doctor.installation_checks.run_installation_checks", slowly)
    walking = CheckRunner()
    assert walking.read() == walking.read() == ()
    assert walking.is_running
    until = time.monotonic() + 5
    while walking.is_running and time.monotonic() < until:
        time.sleep(0.01)
    assert [check.name for check in walking.read()] == ["réglages"]
    assert walks == 1


def examined(monkeypatch: pytest.MonkeyPatch, *checks: Check) -> Report:
    seen = CheckRunner()
    seen._checks, seen._ended_at = checks, time.monotonic()
    monkeypatch.setattr(report, "_background", seen)
    with reading() as session:
        return doctor.read_report(session, SYSTEM)


def test_the_sum_says_the_worst_first(club: str, monkeypatch: pytest.MonkeyPatch) -> None:
    well, wish, fault = (Check(f"la {level}", level, "vue", "regardez") for level in Level)
    assert examined(monkeypatch, well).headline == "Tout va bien"
    found = examined(monkeypatch, well, wish)
    assert (found.headline, found.tone) == ("1 point à voir", "amber")
    found = examined(monkeypatch, well, wish, fault)
    assert (found.headline, found.tone) == ("1 panne", "red")
    assert [(line.name, line.label, line.mend) for line in found.concerns] == [
        ("La ill", "En panne", "Regardez"),
        ("La doubtful", "À voir", "Regardez"),
    ]
    assert [line.name for line in found.installation] == ["La well"]
    assert examined(monkeypatch).headline == "Vérification en cours…"


def test_late_requests_are_no_task_twice(club: str, monkeypatch: pytest.MonkeyPatch) -> None:
    late = Check("demandes", Level.WARNING, "1 attend", page=routes.ADMIN_REQUESTS)
    disk = Check("disque", Level.WARNING, "presque plein")
    assert examined(monkeypatch, late).headline == "1 point à voir"
    with reading() as session:
        assert report.read_report(session, SYSTEM, but=report.TOLD_APART).concerns == ()
        glance = report.glance_at_report(session, SYSTEM)
        assert (glance.headline, glance.is_task) == ("1 point à voir", False)
        examined(monkeypatch, late, disk)
        found = report.read_report(session, SYSTEM, but=report.TOLD_APART)
        assert (found.headline, [line.name for line in found.concerns]) == ("1 point à voir", ["Disque"])
        assert report.glance_at_report(session, SYSTEM).is_task


def test_only_administrators_are_told(club: str) -> None:
    with reading() as session, pytest.raises(Forbidden):
        doctor.read_report(session, VISITOR)
    with pytest.raises(Forbidden):
        doctor.restart_checks(VISITOR)


def test_an_hour_of_another_day_has_its_date(at: At) -> None:
    now = at("2026-11-20T09:00")
    assert job_checks._when(now) == clock.hour(now)
    assert job_checks._when(now - timedelta(days=1)) == "19/11/2026 à 10:00"
