"""Composes the messages of a pass, one after the other, from short looks at the database."""

import asyncio
from collections.abc import Sequence
from contextlib import ExitStack

from sqlmodel import Session

from clubapp.database import reading
from clubapp.mail.messages import batch_cache, recipients_now, registry
from clubapp.mail.messages.letter import Letter
from clubapp.models import OutboxMail

LOOK_SECONDS = 0.2


class Composer:
    """Belongs to one pass. No message is written out from rows that were read longer ago than a look lasts (M10)."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._session: Session | None = None
        self._end: asyncio.TimerHandle | None = None
        self._rows: object = None
        self._seen: set[str] = set()

    def compose(self, mail: OutboxMail, following: Sequence[OutboxMail] = ()) -> Letter:
        """The letter of a message; the rows of the `following` ones are read along with its own.

        Raises:
            Withdrawn: when it must no longer go out.
        """
        if self._session is None or mail.id not in self._seen:
            return registry.compose(self._look([mail, *following]), mail)
        return registry.compose(self._session, mail)

    def close(self) -> None:
        """End the look."""
        if self._end is not None:
            self._end.cancel()
        self._stack.close()
        self._session = self._rows = self._end = None

    def _look(self, mails: Sequence[OutboxMail]) -> Session:
        self.close()
        self._end = asyncio.get_running_loop().call_later(LOOK_SECONDS, self.close)
        self._session = self._stack.enter_context(reading())
        batch_cache.begin_batch(self._session)
        self._seen = {mail.id for mail in mails}
        self._rows = recipients_now.prefetch(self._session, mails)
        return self._session
