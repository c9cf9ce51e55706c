"""One pass of the delivery queue: claim, write out, send, record (M8-M11).

A pass runs an event loop of its own, in the thread that calls it, and keeps a few connections to the relay busy.
"""

import asyncio
import logging
import threading
from collections import Counter
from dataclasses import dataclass

from sqlalchemy.exc import DBAPIError

from clubapp.database import reading
from clubapp.mail import claims, envelope, messages
from clubapp.mail.patience import Pause, next_try
from clubapp.mail.relay import NotReached, Parcel, Refused, Relay, Unanswered, open_relay
from clubapp.models import OutboxMail, new_id

log = logging.getLogger(__name__)

LANES = 3
BATCH = 5  # small: a sign-in mail that arrives meanwhile goes with the next claim
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

    Setting `stopping` ends it after the messages in flight. Not to be called from a running event loop.
    """
    stopping = stopping or threading.Event()
    pause, total = Pause(), Summary()
    while True:
        claims.recover()
        done = asyncio.run(_Pass(stopping).run())
        total += done
        pause.note(halted=done.halted)
        if not until_empty or stopping.is_set() or claims.waiting() == 0:
            return total
        stopping.wait(max(pause.seconds, 1.0))


class _Pass:
    """A few lanes, each with its connection, that share the queue and a count of errors in a row."""

    def __init__(self, stopping: threading.Event) -> None:
        self._stopping = stopping
        self._owner = new_id()
        self._errors = 0
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
        if claims.anything_due():
            try:
                ended = await asyncio.gather(*(self._lane() for _ in range(LANES)), return_exceptions=True)
            finally:
                claims.release(self._owner)
            for error in filter(None, ended):
                raise error
        if self._halted:
            log.warning("mail delivery pauses after %s errors in a row", ERRORS_IN_A_ROW)
        return Summary(**self._done, halted=self._halted)

    async def _lane(self) -> None:
        relay = open_relay()
        try:
            while not self._over and (batch := claims.claim(self._owner, BATCH)):
                for mail in batch:
                    if not self._over:
                        await self._deliver(relay, mail)
        finally:
            await relay.close()

    async def _deliver(self, relay: Relay, mail: OutboxMail) -> None:
        """Bring one message to its end, or back to the queue."""
        parcel = self._written(mail)
        if parcel is None:
            return
        try:
            await relay.address(parcel)
            if not claims.hand_over(mail.id, self._owner):
                await relay.close()  # the claim was lost to another worker, who sends it
                return
            answer = await relay.hand_over(parcel)
        except NotReached as error:
            self._try_later(mail, str(error), its_fault=False)
        except Refused as error:
            self._refused(mail, error)
        except Unanswered as error:
            self._unanswered(mail, str(error))
        else:
            claims.sent(mail.id, self._owner, answer)
            self._done["sent"] += 1
            self._errors = 0

    def _written(self, mail: OutboxMail) -> Parcel | None:
        """The message as it stands now, or None when it must not go, or cannot be written (M9, M10)."""
        try:
            with reading() as session:
                letter = messages.compose(session, mail)
            content = envelope.write(letter, mail)
        except messages.Withdrawn as no_longer:
            claims.withdrawn(mail.id, self._owner, no_longer.reason)
            self._done["withdrawn"] += 1
        except DBAPIError:
            raise  # the database is in trouble, not this message
        except Exception:  # a poison message fails alone (M9)
            reference = mail.id[:8]
            log.exception("mail %s of kind %s could not be written", reference, mail.kind)
            claims.failed(mail.id, self._owner, BROKEN.format(reference=reference))
            self._done["failed"] += 1
        else:
            return Parcel(f"{mail.created_at:%Y%m%dT%H%M%SZ}-{mail.id}", mail.recipient, content)
        return None

    def _refused(self, mail: OutboxMail, error: Refused) -> None:
        if error.code < 500:
            self._try_later(mail, str(error))
        else:
            claims.failed(mail.id, self._owner, REFUSED.format(answer=error), str(error))
            self._count_error("failed")

    def _try_later(self, mail: OutboxMail, answer: str, *, its_fault: bool = True) -> None:
        at = next_try(mail, its_fault=its_fault)
        if at is None:
            claims.failed(mail.id, self._owner, GIVEN_UP.format(attempts=mail.attempts, answer=answer), answer)
            self._count_error("failed")
        else:
            claims.later(mail.id, self._owner, at, answer)
            self._count_error("retried")

    def _unanswered(self, mail: OutboxMail, answer: str) -> None:
        if mail.kind in claims.REPEATABLE:
            self._try_later(mail, answer)
        else:
            claims.uncertain(mail.id, self._owner, answer)
            self._count_error("uncertain")

    def _count_error(self, fate: str) -> None:
        self._done[fate] += 1
        self._errors += 1
