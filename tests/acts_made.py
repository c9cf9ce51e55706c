"""In a whole run, each act that the journal knows is made by a test (T1); what separate servers make is not seen."""

from collections.abc import Mapping
from typing import Any

import pytest
from sqlalchemy import event

from clubapp.models import Act
from clubapp.services.base.act_codes import ACTS

_FORMER = {"event.confirmed", "erasure.asked"}  # stand in journals of versions before only
_made: set[str] = set()


@event.listens_for(Act, "after_insert")
def _note(_mapper: object, _connection: object, act: Act) -> None:
    _made.add(act.action)


def never_made() -> list[str]:
    """The codes of the journal that nothing has made."""
    return sorted(ACTS.keys() - _FORMER - _made)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take over what a process of a shared run saw."""
    output: Mapping[str, Any] = getattr(node, "workeroutput", {})
    _made.update(output.get("acts", ()))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a whole run in which an act was never made."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["acts"] = sorted(_made)
    elif _is_whole(session.config) and session.exitstatus == pytest.ExitCode.OK and never_made():
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Name them."""
    if _is_whole(config) and never_made():
        terminalreporter.write_line(f"Acts that no test makes: {', '.join(never_made())}", red=True)


def _is_whole(config: pytest.Config) -> bool:
    is_narrowed = (
        config.option.keyword
        or config.option.markexpr
        or config.option.collectonly
        or getattr(config.option, "lf", False)
    )
    return config.args_source is pytest.Config.ArgsSource.TESTPATHS and not is_narrowed
