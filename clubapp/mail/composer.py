"""Composes the messages of a pass, one after the other, in sessions that serve for a moment each."""

import time
from contextlib import ExitStack

from sqlmodel import Session

from clubapp.database import reading
from clubapp.mail import glance, living, messages
from clubapp.mail.letters import Letter
from clubapp.models import OutboxMail

LOOK_SECONDS = 1.0


class Composer:
    """Belongs to one pass. Each message sees its own rows as they are at that moment (M10)."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._session: Session | None = None
        self._until = 0.0

    def compose(self, mail: OutboxMail) -> Letter:
        """The letter of a message.

        Raises:
            Withdrawn: when it must no longer go out.
        """
        session = self._look()
        try:
            rows = living.prefetch(session, mail)
            letter = messages.compose(session, mail)
            del rows
            return letter
        finally:
            session.rollback()  # lets go of this moment

    def close(self) -> None:
        """End the look."""
        self._stack.close()
        self._session = None

    def _look(self) -> Session:
        if self._session is None or time.monotonic() > self._until:
            self.close()
            self._session, self._until = self._stack.enter_context(reading()), time.monotonic() + LOOK_SECONDS
            glance.begin(self._session)
        return self._session
