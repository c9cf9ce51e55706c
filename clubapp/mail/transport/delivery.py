"""One pass of the delivery queue: claim, write out, send, record (M8, M9, M10, M11).

A pass runs an event loop of its own, in the thread that calls it, and keeps a few connections to the relay busy.
"""

import asyncio
import logging
import threading
from collections import Counter, deque
from dataclasses import dataclass
from typing import Any

from sqlalchemy.exc import DBAPIError

try:
    from uvloop import new_event_loop
except ImportError:  # Windows has none
    from asyncio import new_event_loop

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.mail.messages.batch_composer import Composer
from clubapp.mail.messages.letter import Withdrawn
from clubapp.mail.messages.registry import REPEATABLE
from clubapp.mail.queue import claims, pause
from clubapp.mail.queue.group_commit import GroupCommit
from clubapp.mail.queue.retry_policy import next_attempt_at
from clubapp.mail.transport import mime
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
LOOK_SECONDS = 1.0  # how soon a sign-in mail is seen while another message is being handed over
ERRORS_IN_A_ROW = 5
REFUSED = "Le serveur d'envoi a refusé le message : {answer}"
GIVEN_UP = "Abandonné après {attempts} essais : {answer}"
BROKEN = "Ce message n'a pas pu être composé (référence {reference})."


@dataclass(frozen=True)
class Summary:
    """What one call did. `halted` says that errors in a row stopped it early."""

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


def deliver(until_empty: bool = False, stopping: threading.Event | None = None) -> Summary:
    """Send what is due; with `until_empty`, go on until every message has met its fate, retries included.

    What a person holds back stays, and all but sign-in mail while the clock is implausible: by a wrong date, mails
    would seem too late. Setting `stopping` ends it after the messages in flight. Not to be called from a running
    event loop.
    """
    stopping, total = stopping or threading.Event(), Summary()
    while True:
        claims.recover_expired()
        with asyncio.Runner(loop_factory=new_event_loop) as runner:
            total += runner.run(_Pass(stopping).run())
        if not until_empty or stopping.is_set() or claims.count_waiting() == 0:
            return total
        with reading() as session:
            rest = pause.seconds_left(session)
        stopping.wait(max(rest, 1.0))


class _Pass:
    """A few lanes, each with its connection, that share the queue and a count of errors in a row."""

    def __init__(self, stopping: threading.Event) -> None:
        self._stopping = stopping
        self._owner = new_id()
        self._ledger = GroupCommit()
        self._composer = Composer()
        self._claiming = asyncio.Lock()
        self._batch: deque[OutboxMail] = deque()
        self._claimed, self._claimed_at = CONNECTIONS, 0.0
        self._records: set[asyncio.Future[Any]] = set()
        self._errors = 0
        self._last_answer = ""
        self._done: Counter[str] = Counter()

    @property
    def _halted(self) -> bool:
        return self._errors >= ERRORS_IN_A_ROW

    @property
    def _over(self) -> bool:
        return self._halted or self._stopping.is_set()

    async def run(self) -> Summary:
        """Empty the queue of what is due.

        Raises:
            Exception: what stopped a lane, such as a lost database; the other lanes end their message first.
        """
        if claims.has_due():
            try:
                ended = await self._lanes()
                ended += await asyncio.gather(*self._records, return_exceptions=True)
            finally:
                self._composer.close()
                self._ledger.close()
                claims.release_claims(self._owner)
            for error in filter(None, ended):
                raise error
            self._take_note()
        return Summary(**self._done, halted=self._halted)

    def _take_note(self) -> None:
        """Rest after errors in a row; forget earlier ones once something has left (M9)."""
        with transaction() as session:
            if self._halted:
                until = pause.rest_after_errors(session, self._last_answer)
                log.warning("mail delivery pauses until %s after %s errors in a row", until, ERRORS_IN_A_ROW)
            elif self._done["sent"]:
                pause.end_rest(session)
                claims.clear_flags(session)

    async def _lanes(self) -> list[BaseException | None]:
        """What ended each lane. While one waits for a slow relay, the others look again for what has become due."""
        under_way: set[asyncio.Task[None]] = set()
        ended: list[BaseException | None] = []
        is_more = True
        while True:
            if is_more:
                under_way |= {asyncio.create_task(self._lane()) for _ in range(CONNECTIONS - len(under_way))}
            done, under_way = await asyncio.wait(under_way, timeout=LOOK_SECONDS)
            ended += [lane.exception() for lane in done]
            if not under_way:
                return ended
            is_more = not self._over and not any(ended) and await self._is_more_due()

    async def _is_more_due(self) -> bool:
        try:
            return await asyncio.to_thread(claims.has_due)
        except DBAPIError:  # the lane that is still under way will meet the same, and tell
            return False

    async def _lane(self) -> None:
        relay = open_relay()
        try:
            while not self._over and (mail := await self._next()):
                await self._deliver(relay, mail)
        finally:
            await relay.close()

    async def _next(self) -> OutboxMail | None:
        """A message of the batch in hand, or of a new one; whoever finds it empty claims for all lanes."""
        async with self._claiming:
            if not clock.is_plausible():  # the others are given back at the end
                self._batch = deque(mail for mail in self._batch if mail.kind in REPEATABLE)
            if not self._batch:
                self._batch.extend(await self._ledger.write(claims.claim, self._owner, self._size()))
            return self._batch.popleft() if self._batch else None

    def _size(self) -> int:
        """As many as leave in a moment, at the speed of the last batch: more would keep a sign-in mail waiting."""
        now = asyncio.get_running_loop().time()
        speed = self._claimed / max(now - self._claimed_at, 0.001)
        self._claimed_at = now
        self._claimed = max(CONNECTIONS, min(2 * self._claimed, LARGEST_BATCH, int(speed * BATCH_SECONDS)))
        return self._claimed

    async def _deliver(self, relay: Relay, mail: OutboxMail) -> None:
        """Bring one message to its end, or back to the queue."""
        parcel = await self._written(mail)
        if parcel is None:
            return
        try:
            await relay.address(parcel)
            if not await self._write(claims.hand_over, mail):
                await relay.close()  # the claim was lost to another worker, who sends it
                return
            answer = await relay.hand_over(parcel)
        except RelayUnreachable as error:
            await self._try_later(mail, str(error), its_fault=False)
        except RelayRefusal as error:
            await self._refused(mail, error)
        except DeliveryUnknown as error:
            await self._unanswered(mail, str(error))
        else:
            self._record(self._write(claims.mark_sent, mail, answer))
            self._done["sent"] += 1
            self._errors = 0

    def _record(self, written: asyncio.Future[Any]) -> None:
        """The lane goes on while what the relay answered is committed; `run` tells if it could not be."""
        self._records.add(written)
        written.add_done_callback(lambda done: done.exception() or self._records.discard(done))

    async def _written(self, mail: OutboxMail) -> PreparedMessage | None:
        """The message as it stands now, or None when it must not go, or cannot be written (M9, M10)."""
        try:
            letter = self._composer.compose(mail, self._batch)
            content = mime.build_message(letter, mail)
        except Withdrawn as no_longer:
            await self._write(claims.mark_withdrawn, mail, no_longer.reason)
            self._done["withdrawn"] += 1
        except DBAPIError:
            raise  # the database is in trouble, not this message
        except Exception:  # a poison message fails alone (M9)
            reference = mail.id[:8]
            log.exception("mail %s of kind %s could not be written", reference, mail.kind)
            await self._write(claims.mark_failed, mail, BROKEN.format(reference=reference))
            self._done["failed"] += 1
        else:
            return PreparedMessage(f"{mail.created_at:%Y%m%dT%H%M%SZ}-{mail.id}", mail.recipient, content)
        return None

    async def _refused(self, mail: OutboxMail, error: RelayRefusal) -> None:
        if error.code < 500:
            await self._try_later(mail, str(error))
            return
        if error.is_of_address:
            await self._ledger.write(claims.flag_address, mail, str(error))
        await self._write(claims.mark_failed, mail, REFUSED.format(answer=error), str(error))
        self._count_error("failed", str(error))

    async def _try_later(self, mail: OutboxMail, answer: str, *, its_fault: bool = True) -> None:
        at = next_attempt_at(mail, its_fault=its_fault)
        if at is None:
            reason = GIVEN_UP.format(attempts=mail.attempts, answer=answer)
            await self._write(claims.mark_failed, mail, reason, answer)
            self._count_error("failed", answer)
        else:
            await self._write(claims.schedule_retry, mail, at, answer)
            self._count_error("retried", answer)

    async def _unanswered(self, mail: OutboxMail, answer: str) -> None:
        if mail.kind in REPEATABLE:
            await self._try_later(mail, answer)
        else:
            await self._write(claims.mark_uncertain, mail, answer)
            self._count_error("uncertain", answer)

    def _write(self, step: Any, mail: OutboxMail, *given: Any) -> asyncio.Future[Any]:
        return self._ledger.write(step, mail.id, self._owner, *given)

    def _count_error(self, fate: str, answer: str) -> None:
        self._done[fate] += 1
        self._errors += 1
        self._last_answer = answer
