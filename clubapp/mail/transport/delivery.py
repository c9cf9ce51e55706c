"""Delivers the mail queue in passes: claim, compose, send, record (M8, M9, M10, M11).

A pass runs an event loop of its own, in the thread that calls it, with a few connections to the relay.
"""

import asyncio
import logging
import threading
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy.exc import DBAPIError, OperationalError

try:
    from uvloop import new_event_loop
except ImportError:  # Windows has none
    from asyncio import new_event_loop

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.mail.messages.letter import Withdrawn
from clubapp.mail.messages.mail_kinds import REPEATABLE
from clubapp.mail.queue import claims, pause
from clubapp.mail.queue.group_commit import GroupCommit
from clubapp.mail.queue.retry_policy import next_attempt_at
from clubapp.mail.transport import mime
from clubapp.mail.transport.batch_composer import Composer
from clubapp.mail.transport.smtp import (
    DeliveryUnknown,
    PreparedMessage,
    Relay,
    RelayRefusal,
    RelayUnreachable,
    open_relay,
)
from clubapp.models import OutboxMail, new_id

log = logging.getLogger(__name__)

CONNECTIONS = 8
LARGEST_BATCH = 100
BATCH_SECONDS = 0.3  # short: a sign-in mail that arrives meanwhile goes with the next claim
POLL_SECONDS = 1.0  # how soon free lanes take up a sign-in mail while another lane waits for a slow relay
ERRORS_IN_A_ROW = 5
MARK_SENT_WAITS = (0.5, 1, 2, 4, 8)  # in seconds
REFUSED = "Le serveur d’envoi a refusé le message\u00a0: {answer}"
GIVEN_UP = "Abandonné après {attempts} essais\u00a0: {answer}"
BROKEN = "Ce message n’a pas pu être composé (référence {reference})."


@dataclass(frozen=True)
class Summary:
    """How many messages had each outcome in a call of `deliver`. `halted`: errors in a row stopped it early."""

    sent: int = 0
    failed: int = 0
    retried: int = 0
    uncertain: int = 0
    withdrawn: int = 0
    halted: bool = False

    def __add__(self, other: "Summary") -> "Summary":
        return Summary(
            self.sent + other.sent,
            self.failed + other.failed,
            self.retried + other.retried,
            self.uncertain + other.uncertain,
            self.withdrawn + other.withdrawn,
            other.halted,
        )


def deliver(
    until_empty: bool = False,
    stopping: threading.Event | None = None,
    tell_waiting: Callable[[int], None] = lambda _: None,
) -> Summary:
    """Send what is due; with `until_empty`, go on until no message waits any more, retries included.

    Before each wait for retries, `tell_waiting` is given how many messages wait.

    Only sign-in mails leave while a person pauses the queue, or while the clock is implausible: under a wrong date,
    messages would be withdrawn as too late. Setting `stopping` ends it after the messages that are being sent. Not to
    be called from a running event loop.
    """
    stopping, total = stopping or threading.Event(), Summary()
    while True:
        claims.recover_expired()
        with asyncio.Runner(loop_factory=new_event_loop) as runner:
            total += runner.run(_Pass(stopping).run())
        if not until_empty or stopping.is_set() or (waiting := claims.count_waiting()) == 0:
            return total
        tell_waiting(waiting)
        with reading() as session:
            seconds = pause.seconds_left(session)
        stopping.wait(max(seconds, 1.0))


class _Pass:
    """A few lanes, each with its connection to the relay, that share one batch and a count of errors in a row."""

    def __init__(self, stopping: threading.Event) -> None:
        self._stopping = stopping
        self._owner = new_id()
        self._group_commit = GroupCommit()
        self._composer = Composer()
        self._claiming = asyncio.Lock()
        self._batch: deque[OutboxMail] = deque()
        self._claimed, self._claimed_at = CONNECTIONS, 0.0
        self._records: set[asyncio.Future[Any]] = set()
        self._errors = 0
        self._counts: Counter[str] = Counter()

    @property
    def _is_halted(self) -> bool:
        return self._errors >= ERRORS_IN_A_ROW

    @property
    def _is_over(self) -> bool:
        return self._is_halted or self._stopping.is_set()

    async def run(self) -> Summary:
        """Send what is due.

        Raises:
            Exception: what stopped a lane, such as an unreachable database; the other lanes finish their message first.
        """
        if claims.has_due():
            try:
                ended = await self._run_lanes()
                ended += await asyncio.gather(*self._records, return_exceptions=True)
            finally:
                self._composer.close()
                self._group_commit.close()
                claims.release_claims(self._owner)
            for error in filter(None, ended):
                raise error
            self._update_pause()
        return Summary(**self._counts, halted=self._is_halted)

    def _update_pause(self) -> None:
        """Begin a rest after errors in a row; end it, and clear addresses, once a message has left (M9)."""
        with transaction() as session:
            if self._is_halted:
                until = pause.rest_after_errors(session)
                log.warning("mail delivery pauses until %s after %s errors in a row", until, ERRORS_IN_A_ROW)
            elif self._counts["sent"]:
                pause.end_rest(session)
                claims.clear_flags(session)

    async def _run_lanes(self) -> list[BaseException | None]:
        """Run the lanes until nothing is due; ended ones are started again while another waits for a slow relay.

        Returns:
            For each lane that ended, the exception that ended it, or None.
        """
        under_way: set[asyncio.Task[None]] = set()
        ended: list[BaseException | None] = []
        is_more = True
        while True:
            if is_more:
                under_way |= {asyncio.create_task(self._run_lane()) for _ in range(CONNECTIONS - len(under_way))}
            done, under_way = await asyncio.wait(under_way, timeout=POLL_SECONDS)
            ended += [lane.exception() for lane in done]
            if not under_way:
                return ended
            is_more = not self._is_over and not any(ended) and await self._is_more_due()

    async def _is_more_due(self) -> bool:
        try:
            return await asyncio.to_thread(claims.has_due)
        except DBAPIError:  # the lane that is still running will raise it
            return False

    async def _run_lane(self) -> None:
        relay = open_relay()
        try:
            while not self._is_over and (mail := await self._next_mail()):
                await self._deliver(relay, mail)
        finally:
            await relay.close()

    async def _next_mail(self) -> OutboxMail | None:
        """The next message of the batch. The lane that finds it empty claims a new one for all lanes."""
        async with self._claiming:
            if not clock.is_plausible():  # `run` releases the others at the end
                self._batch = deque(mail for mail in self._batch if mail.kind in REPEATABLE)
            if not self._batch:
                self._batch.extend(await self._group_commit.write(claims.claim, self._owner, self._batch_size()))
            return self._batch.popleft() if self._batch else None

    def _batch_size(self) -> int:
        """As many as leave in BATCH_SECONDS at the speed of the last batch: more would keep a sign-in mail waiting."""
        now = asyncio.get_running_loop().time()
        speed = self._claimed / max(now - self._claimed_at, 0.001)
        self._claimed_at = now
        self._claimed = max(CONNECTIONS, min(2 * self._claimed, LARGEST_BATCH, int(speed * BATCH_SECONDS)))
        return self._claimed

    async def _deliver(self, relay: Relay, mail: OutboxMail) -> None:
        """Send one message and record its outcome."""
        message = await self._prepare(mail)
        if message is None:
            return
        try:
            await relay.announce_message(message)
            if not await self._write(claims.hand_over, mail):
                await relay.close()  # the claim was lost to another worker, who sends it
                return
            answer = await relay.hand_over(message)
        except RelayUnreachable as error:
            await self._retry_later(mail, str(error), is_relay_unreachable=True)
        except RelayRefusal as error:
            await self._handle_refusal(mail, error)
        except DeliveryUnknown as error:
            await self._handle_unknown(mail, str(error))
        else:
            self._keep_record(asyncio.create_task(self._mark_sent(mail, answer)))
            self._counts["sent"] += 1
            self._errors = 0

    async def _mark_sent(self, mail: OutboxMail, answer: str) -> None:
        """Record what the relay accepted, also when the database is away for a moment: else its fate is uncertain."""
        for seconds in MARK_SENT_WAITS:
            try:
                return await self._write(claims.mark_sent, mail, answer)
            except OperationalError:
                await asyncio.sleep(seconds)
        return await self._write(claims.mark_sent, mail, answer)

    def _keep_record(self, written: asyncio.Future[Any]) -> None:
        """Let the lane go on while the relay's answer is committed; `run` raises the exception that prevents it."""
        self._records.add(written)
        written.add_done_callback(lambda done: done.exception() or self._records.discard(done))

    async def _prepare(self, mail: OutboxMail) -> PreparedMessage | None:
        """Compose a message from the rows of now; None when it is withdrawn or cannot be composed (M9, M10)."""
        try:
            letter = self._composer.compose(mail, self._batch)
            content = mime.build_message(letter, mail)
        except Withdrawn as withdrawn:
            await self._write(claims.mark_withdrawn, mail, withdrawn.reason)
            self._counts["withdrawn"] += 1
        except DBAPIError:
            raise  # it concerns every message, not this one
        except Exception:  # a message that cannot be composed fails alone (M9)
            reference = mail.id[:8]
            log.exception("mail %s of kind %s could not be written", reference, mail.kind)
            await self._write(claims.mark_failed, mail, BROKEN.format(reference=reference))
            self._counts["failed"] += 1
        else:
            return PreparedMessage(f"{mail.created_at:%Y%m%dT%H%M%SZ}-{mail.id}", mail.recipient, content)
        return None

    async def _handle_refusal(self, mail: OutboxMail, error: RelayRefusal) -> None:
        if error.code < 500:
            await self._retry_later(mail, str(error))
            return
        if error.is_of_address:
            await self._group_commit.write(claims.flag_address, mail, str(error))
        await self._write(claims.mark_failed, mail, REFUSED.format(answer=error), str(error))
        self._count_error("failed")

    async def _retry_later(self, mail: OutboxMail, answer: str, *, is_relay_unreachable: bool = False) -> None:
        at = next_attempt_at(mail, is_relay_unreachable=is_relay_unreachable)
        if at is None:
            reason = GIVEN_UP.format(attempts=mail.attempts, answer=answer)
            await self._write(claims.mark_failed, mail, reason, answer)
            self._count_error("failed")
        else:
            await self._write(claims.schedule_retry, mail, at, answer)
            self._count_error("retried")

    async def _handle_unknown(self, mail: OutboxMail, answer: str) -> None:
        if mail.kind in REPEATABLE:
            await self._retry_later(mail, answer)
        else:
            await self._write(claims.mark_uncertain, mail, answer)
            self._count_error("uncertain")

    def _write(self, step: Any, mail: OutboxMail, *given: Any) -> asyncio.Future[Any]:
        return self._group_commit.write(step, mail.id, self._owner, *given)

    def _count_error(self, outcome: str) -> None:
        self._counts[outcome] += 1
        self._errors += 1
