"""Sends errors to Sentry, if CLUB_SENTRY_DSN names one, without personal data.

Only what is logged as an error is sent: the trace without the values of its variables, masked more strictly than the
log. It names no person, request, address or machine.
"""

import logging
import re
from typing import Any

from clubapp.infra import logs
from clubapp.settings import settings

SHUTDOWN_SECONDS = 2
# Parts of a Sentry event that may hold personal data, and that nobody needs to understand the error.
_REMOVED = ("user", "request", "breadcrumbs", "server_name", "modules", "extra")
_TELEPHONE = re.compile(r"(?<!\d)(?:(?:\+|00)\d{1,3}|0)[\s.-]?\d(?:[\s.-]?\d{2}){4}(?!\d)")


def log_handlers() -> list[logging.Handler]:
    """The handlers for `logs.configure`; none unless CLUB_SENTRY_DSN is set. Starts Sentry's client."""
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
        # Only the log is watched. At exit, pending events are sent without the message that Sentry prints.
        default_integrations=False,
        integrations=[AtexitIntegration(callback=lambda _pending, _timeout: None)],
        shutdown_timeout=SHUTDOWN_SECONDS,
        send_client_reports=False,
        auto_session_tracking=False,
    )
    return [EventHandler(level=logging.ERROR)]


def scrub_event(event: Any, _hint: Any) -> Any:
    """A Sentry event without personal data and secrets, tagged with the reference that is in the log."""
    masked = {name: _mask_all(value) for name, value in event.items() if name not in _REMOVED}
    return {**masked, "tags": {"reference": logs.reference()}}


def _mask_all(value: Any) -> Any:
    if isinstance(value, str):
        return _TELEPHONE.sub("…", logs.mask(value, address="…"))
    if isinstance(value, dict):
        return {name: _mask_all(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_mask_all(item) for item in value]
    return value
