"""A process that delivers, made to be killed, at a crash point when it is given one.

Leases are short, so that the next process need not wait long for what this one held: shortest of one that crashes.
"""

import asyncio
import os
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from clubapp.mail.queue import claims
from clubapp.mail.transport import mime
from clubapp.mail.transport.delivery import deliver
from clubapp.mail.transport.smtp import PreparedMessage, SmtpRelay

CRASHED = 9


def crash(*_given: Any, **_named: Any) -> Any:
    """End as kill -9 does: nothing is closed, flushed or given back."""
    os._exit(CRASHED)


def crash_after_claim() -> None:
    """The rows are claimed, and committed: writing the first of them out is as far as it gets."""
    mime.build_message = crash


def crash_in_data(part: Callable[[bytes], bytes], *, is_whole: bool) -> None:
    """DATA was accepted, and `part` of the message has left; when that `is_whole`, the relay has it."""

    async def write_and_crash(self: SmtpRelay, message: PreparedMessage) -> Any:
        protocol = await self._begin_data()  # pyright: ignore[reportPrivateUsage] - the point to crash at
        protocol.write(part(message.content))
        await (protocol.read_response(timeout=30) if is_whole else asyncio.sleep(0.05))
        crash()

    SmtpRelay.hand_over = write_and_crash  # pyright: ignore[reportAttributeAccessIssue] - the crash takes its place


CRASH_POINTS: dict[str, Callable[[], None]] = {
    "before-claim": lambda: setattr(claims, "claim", crash),
    "after-claim": crash_after_claim,
    "mid-data": lambda: crash_in_data(lambda message: message[: len(message) // 2], is_whole=False),
    "after-the-dot": lambda: crash_in_data(lambda message: message + b".\r\n", is_whole=True),
    "after-250": lambda: setattr(claims, "mark_sent", crash),
}


def main(*crash_points: str) -> None:
    """Deliver until nothing waits, or until the crash point."""
    claims.LEASE = timedelta(seconds=0.2 if crash_points else 0.5)
    claims.HAND_OVER_LEASE = timedelta(seconds=0.2 if crash_points else 0.8)
    for point in crash_points:
        CRASH_POINTS[point]()
    deliver(until_empty=True)
