"""Composes the messages of a delivery pass, one after the other, from short database sessions."""

import asyncio
from collections.abc import Sequence
from contextlib import ExitStack

from sqlmodel import Session

from clubapp.database import reading
from clubapp.mail.messages import batch_cache, mail_kinds, recipients_now
from clubapp.mail.messages.letter import Letter
from clubapp.models import OutboxMail

SESSION_SECONDS = 0.2


class Composer:
    """Belongs to one delivery pass and its event loop. Rows are read again after SESSION_SECONDS at most (M10)."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._session: Session | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._rows: object = None
        self._prefetched: set[str] = set()

    def compose(self, mail: OutboxMail, following: Sequence[OutboxMail] = ()) -> Letter:
        """The letter of a message. The rows of the `following` ones are prefetched with its own.

        Raises:
            Withdrawn: when the message must no longer be sent.
        """
        if self._session is None or mail.id not in self._prefetched:
            return mail_kinds.compose(self._open_session([mail, *following]), mail)
        return mail_kinds.compose(self._session, mail)

    def close(self) -> None:
        """End the session and forget its rows."""
        if self._timer is not None:
            self._timer.cancel()
        self._stack.close()
        self._session = self._rows = self._timer = None

    def _open_session(self, mails: Sequence[OutboxMail]) -> Session:
        self.close()
        self._timer = asyncio.get_running_loop().call_later(SESSION_SECONDS, self.close)
        self._session = self._stack.enter_context(reading())
        batch_cache.begin_batch(self._session)
        self._prefetched = {mail.id for mail in mails}
        self._rows = recipients_now.prefetch(self._session, mails)
        return self._session
