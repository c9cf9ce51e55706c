"""The state of the answer page: the invitation of the link."""

from dataclasses import replace
from typing import ClassVar

import reflex as rx

from clubapp.refusals import Conflict, Invalid, NotFound
from clubapp.services.answers import answer_form, by_link, page
from clubapp.services.answers.answer_form import Answer, choice_of
from clubapp.services.answers.page import AnswerView
from clubapp.web.screens.toasts import log_unexpected
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, write

NOT_READ = "Votre invitation n’a pas pu être lue pour le moment."
RESPONSE_LOST = "Erreur lors de l'enregistrement de votre réponse"
CHOICE_LOST = "Erreur lors de l'enregistrement de votre choix"
GUESTS_LOST = "Erreur lors de l'enregistrement du nombre d'invités"
_LONGEST_TOKEN = 200
_CHANGEABLE = (*page.LATER_STEPS, page.WAITING)


class AnswerState(rx.State):
    """One invitation, opened by its token, which is not sent back to the browser.

    `handled_press` is the id of the last press that was handled: the same press, sent again, does nothing.
    """

    ACCESS: ClassVar[Access] = Access.EVERYONE

    view: AnswerView = AnswerView()
    opened: str = ""  # the visit whose link is shown
    choice: str = ""  # the suggested answer: the one of the mail, or the recorded one
    is_from_mail: bool = False
    is_changing: bool = False
    problem: str = ""
    is_refused: bool = False  # the problem is with what was typed
    handled_press: str = ""
    _token: str = ""
    _left: str = ""  # the step from which the person began to change the answer

    @rx.event
    def begin(self) -> None:
        """The page appears: clear what another link showed in this tab. The browser sends the token next."""
        self.view, self.problem, self.is_refused, self.is_changing = AnswerView(), "", False, False

    @rx.event
    async def open(self, token: str, answer: str, visit: str = "") -> None:
        """Show the invitation of a link. Records nothing, whatever answer the link carries."""
        self._token = str(token)[:_LONGEST_TOKEN]
        self.choice = answer if answer in answer_form.CHOICES else ""
        self.is_from_mail = self.choice != ""
        await self._read()
        if page.asks_again(self.view.step, self.choice):
            self._ask_again()
        self.opened = str(visit)[:40]

    @rx.event
    async def retry(self) -> None:
        """Read the invitation again, after a failure."""
        await self._read()

    @rx.event
    async def keep(self) -> None:
        """Keep the recorded answer, and return to the step where the change began."""
        left = self._left
        await self._read()
        if left == page.GUESTS and self.view.step == page.CALENDAR:
            self.view = replace(self._plain(), step=left)

    @rx.event
    async def attend(self, will_attend: bool, press: str) -> None:
        """Answer "Yes" or "No"."""
        if isinstance(will_attend, bool):
            await self._save(press, answer_form.parse_attendance(will_attend), RESPONSE_LOST)

    @rx.event
    async def lunch(self, with_lunch: bool, press: str) -> None:
        """Choose lunch or not."""
        if isinstance(with_lunch, bool):
            await self._save(press, answer_form.parse_lunch(with_lunch), CHOICE_LOST)

    @rx.event
    async def guests(self, count: str, press: str) -> None:
        """Say how many guests come along."""
        await self._save(press, answer_form.parse_guests(count), GUESTS_LOST)

    @rx.event
    def change(self) -> None:
        """Go back to the first question; the recorded answer stands until another one is given."""
        if self.view.step not in _CHANGEABLE:
            return
        if not self.is_from_mail:
            self.choice = choice_of(bool(self.view.will_attend))
        self._ask_again()

    def _ask_again(self) -> None:
        self.problem, self.is_changing, self._left = "", True, self.view.step
        self.view = replace(self._plain(), step=page.ATTENDANCE)

    async def _read(self) -> None:
        self.problem, self.is_refused, self.is_changing = "", False, False
        try:
            self.view = await read(by_link.open_invitation, self._event_id(), self._token)
        except NotFound:
            self.view = AnswerView(step=page.ERROR)
        except Exception as error:
            log_unexpected(error)
            self.view, self.problem = AnswerView(step=page.ERROR), NOT_READ

    async def _save(self, press: str, answer: Answer, failure: str) -> None:
        press = str(press)[:40]
        if press and press == self.handled_press:
            return
        self.problem, self.is_refused = "", False
        try:
            after = await write(by_link.record_answer, self._event_id(), self._token, answer)
            event = replace(self._plain().event, places=after.event.places, is_full=after.event.is_full)
            self.view = replace(after, event=event)
            self.choice, self.is_from_mail, self.is_changing = "", False, False
        except NotFound:
            self.view = AnswerView(step=page.ERROR if self._token else "")
            if not self._token:
                return  # the browser sends the token again, then the press
        except Conflict as refusal:
            await self._read()
            self.problem = self.problem or refusal.text
        except Invalid as refusal:
            self.problem, self.is_refused = refusal.text, True
        except Exception as error:
            log_unexpected(error)
            self.problem = failure
        self.handled_press = press

    def _plain(self) -> AnswerView:
        return getattr(self.view, "__wrapped__", self.view)

    def _event_id(self) -> str:
        return self.router.url.path.rstrip("/").rsplit("/", 1)[-1]
