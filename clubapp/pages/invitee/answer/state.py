"""What the answer page knows: the invitation of the link, and nothing else."""

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any, ClassVar

import reflex as rx

from clubapp.refusals import Conflict, Invalid, NotFound
from clubapp.services import answers
from clubapp.services.answers import AnswerView
from clubapp.web.feedback import log_unexpected
from clubapp.web.guard import Access
from clubapp.web.work import read, write

ERROR = "error"
NOT_READ = "Votre invitation n’a pas pu être lue pour le moment."
RESPONSE_LOST = "Erreur lors de l'enregistrement de votre réponse"
CHOICE_LOST = "Erreur lors de l'enregistrement de votre choix"
GUESTS_LOST = "Erreur lors de l'enregistrement du nombre d'invités"
_CHOICES = ("oui", "non")
_LONGEST_TOKEN = 200


class AnswerState(rx.State):
    """One invitation, opened by its token. The token never leaves the server again."""

    ACCESS: ClassVar[Access] = Access.EVERYONE

    view: AnswerView = AnswerView()
    choice: str = ""  # the answer to put forward: the mail's, or the one given before
    is_from_mail: bool = False
    saving: bool = False
    problem: str = ""
    _token: str = ""

    @rx.event
    def start(self) -> None:
        """A page is loaded: what another link showed in this tab goes. The browser hands the link over next."""
        self.view, self.saving, self.problem = AnswerView(), False, ""

    @rx.event
    async def open(self, token: str, answer: str) -> None:
        """Show the invitation of a link. Records nothing, whatever answer the link carries."""
        self._token = str(token)[:_LONGEST_TOKEN]
        self.choice = answer if answer in _CHOICES else ""
        self.is_from_mail = self.choice != ""
        await self._read()

    @rx.event
    async def retry(self) -> None:
        """Read the invitation again after a failure."""
        await self._read()

    @rx.event
    async def attend(self, will_attend: bool) -> AsyncIterator[None]:
        """Answer "Yes" or "No"."""
        if isinstance(will_attend, bool):
            async for _ in self._save(answers.attend, will_attend, RESPONSE_LOST):
                yield

    @rx.event
    async def lunch(self, with_lunch: bool) -> AsyncIterator[None]:
        """Choose lunch or not."""
        if isinstance(with_lunch, bool):
            async for _ in self._save(answers.lunch, with_lunch, CHOICE_LOST):
                yield

    @rx.event
    async def guests(self, form: dict[str, Any]) -> AsyncIterator[None]:
        """Say how many guests come along."""
        async for _ in self._save(answers.guests, str(form.get("guest_count", ""))[:20], GUESTS_LOST):
            yield

    @rx.event
    def change(self) -> None:
        """Go back to the first question; what was answered stands until another answer is given."""
        if self.view.step != answers.CALENDAR:
            return
        if not self.is_from_mail:
            self.choice = "oui" if self.view.will_attend else "non"
        self.problem = ""
        self.view = replace(self._plain(), step=answers.ATTENDANCE)

    async def _read(self) -> None:
        self.problem = ""
        try:
            self.view = await read(answers.open, self._event_id(), self._token)
        except NotFound:
            self.view = AnswerView(step=ERROR)
        except Exception as error:
            log_unexpected(error)
            self.view, self.problem = AnswerView(step=ERROR), NOT_READ

    async def _save(self, service: Callable[..., AnswerView], value: Any, failure: str) -> AsyncIterator[None]:
        self.saving, self.problem = True, ""
        yield
        try:
            self.view = await write(service, self._event_id(), self._token, value)
            self.choice, self.is_from_mail = "", False
        except NotFound:
            self.view = AnswerView(step=ERROR if self._token else "")
        except Conflict as refusal:
            await self._read()
            self.problem = self.problem or refusal.text
        except Invalid as refusal:
            self.problem = refusal.text
        except Exception as error:
            log_unexpected(error)
            self.problem = failure
        finally:
            self.saving = False

    def _plain(self) -> AnswerView:
        return getattr(self.view, "__wrapped__", self.view)

    def _event_id(self) -> str:
        return self.router.url.path.rstrip("/").rsplit("/", 1)[-1]
