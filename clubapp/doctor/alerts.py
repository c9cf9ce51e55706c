"""Looks whether something is wrong that the administrators are to hear of by mail (T2)."""

from clubapp.database import reading, transaction
from clubapp.doctor import installation_checks, job_checks
from clubapp.doctor.act_chain_check import ChainCheck
from clubapp.doctor.check import Check
from clubapp.services.monitoring import health_alerts
from clubapp.services.monitoring.health_alerts import Finding

_wrong_before: set[str] | None = None
_acts = ChainCheck()


def look_and_tell() -> int:
    """Run all checks and mail what changed; return how many messages were queued.

    What is wrong only once in two looks, such as a relay that was restarted, is not told.
    """
    global _wrong_before
    found = {check.name: check for check in _run_checks() if check.is_alarming}
    before, _wrong_before = _wrong_before, set(found)
    if before is None:
        return 0
    wrong = [Finding(check.name, check.text, check.mend) for check in found.values() if check.name in before]
    with transaction() as session:
        return health_alerts.tell_changes(session, wrong, doubtful=before ^ set(found))


def _run_checks() -> list[Check]:
    checks = list(installation_checks.run_installation_checks(_acts))
    with reading() as session:
        checks += job_checks.check_mail(session)
    return [*checks, *job_checks.check_jobs()]
