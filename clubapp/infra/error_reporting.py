"""Errors told to a Sentry, for an installation that names one (`CLUB_SENTRY_DSN`): what happened, and to nobody.

Only what is logged as an error goes there: the trace without the values of its variables, masked more strictly than the
log. No person, no request, no address, no machine.
"""

import logging
import re
from typing import Any

from clubapp.infra import logs
from clubapp.settings import settings

PATIENCE_SECONDS = 2
# What an event never needs to be understood, and may tell of people.
_LEFT_OUT = ("user", "request", "breadcrumbs", "server_name", "modules", "extra")
_TELEPHONE = re.compile(r"(?<!\d)(?:(?:\+|00)\d{1,3}|0)[\s.-]?\d(?:[\s.-]?\d{2}){4}(?!\d)")


def log_handlers() -> list[logging.Handler]:
    """For `logs.configure`: nothing unless a Sentry is named."""
    if not settings().sentry_dsn:
        return []
    import sentry_sdk
    from sentry_sdk.integrations.atexit import AtexitIntegration
    from sentry_sdk.integrations.logging import EventHandler

    sentry_sdk.init(
        dsn=settings().sentry_dsn,
        before_send=scrub_event,
        include_local_variables=False,
        max_breadcrumbs=0,
        # Nothing is watched but the log; on the way out, what is waiting is sent, without a word.
        default_integrations=False,
        integrations=[AtexitIntegration(callback=lambda _pending, _timeout: None)],
        shutdown_timeout=PATIENCE_SECONDS,
        send_client_reports=False,
        auto_session_tracking=False,
    )
    return [EventHandler(level=logging.ERROR)]


def scrub_event(event: Any, _hint: Any) -> Any:
    """An event without people and secrets, under the reference that stands in the log."""
    kept = {name: _masked(value) for name, value in event.items() if name not in _LEFT_OUT}
    return {**kept, "tags": {"reference": logs.reference()}}


def _masked(value: Any) -> Any:
    if isinstance(value, str):
        return _TELEPHONE.sub("…", logs.mask(value, address="…"))
    if isinstance(value, dict):
        return {name: _masked(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_masked(one) for one in value]
    return value
