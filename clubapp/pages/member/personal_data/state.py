"""What a member asks the club about their data."""

from collections.abc import AsyncIterator
from typing import Any, ClassVar

import reflex as rx

from clubapp.refusals import Refusal
from clubapp.services.base.form_fields import InvalidForm
from clubapp.services.privacy import rights_requests
from clubapp.services.privacy.rights_requests import OwnRequest
from clubapp.ui.react.forms.draft_form import text_of
from clubapp.web.screens.toasts import toast_success
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, write

SENT = "Votre demande est partie. Le club vous répondra sous un mois."


class PersonalDataState(rx.State):
    """The member's requests, and what is wrong with the one in the form."""

    ACCESS: ClassVar[Access] = Access.MEMBER

    requests: list[OwnRequest] = []
    wrong_kind: str = ""
    wrong_words: str = ""
    is_sending: bool = False
    attempt: int = 0
    sent: int = 0

    @rx.event
    async def load(self) -> None:
        """Read what was asked."""
        self.wrong_kind = self.wrong_words = ""
        self.requests = list(await read(rights_requests.list_own, actor()))

    @rx.event
    async def ask(self, entries: dict[str, Any]) -> AsyncIterator[Any]:
        """Send a request to the administrators."""
        person, self.is_sending, self.wrong_kind, self.wrong_words = actor(), True, "", ""
        yield
        try:
            kind, words = text_of(entries, "kind"), text_of(entries, "words")
            await write(rights_requests.request_right, person, kind, words)
        except InvalidForm as refusal:
            self.wrong_kind, self.wrong_words = refusal.errors.get("kind", ""), refusal.errors.get("words", "")
            self.attempt += 1
        except Refusal as refusal:
            self.wrong_kind, self.attempt = refusal.text, self.attempt + 1
        else:
            self.sent += 1
            await toast_success(self, SENT)
        finally:
            self.is_sending = False
        self.requests = list(await read(rights_requests.list_own, actor()))
