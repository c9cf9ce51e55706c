"""The dialog that sends a test mail; the emails and the events screen share it."""

from typing import ClassVar

import reflex as rx

from clubapp.mail.messages.built_in_event_texts import EventTemplate
from clubapp.refusals import Refusal
from clubapp.services.mailings import test_mails
from clubapp.ui.kit.button import button
from clubapp.ui.kit.choice import select
from clubapp.ui.kit.dialog import dialog
from clubapp.ui.kit.field import field, form_actions
from clubapp.ui.kit.loading import spinner
from clubapp.ui.kit.text import show_if
from clubapp.ui.mail.relay_words import relay_words
from clubapp.ui.react.forms.entries_form import entries_form, pairs_of
from clubapp.ui.react.lists.polling import polling
from clubapp.web.screens.toasts import explain_failure
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, write

FOLLOW_MS = 500
TYPES = [("invitation", "E-mail initial"), ("reminder_1", "1re relance"), ("reminder_2", "2e relance")]
_HINT = (
    "L’objet commence par [TEST]. Rien n’est marqué comme envoyé, et les liens n’enregistrent la réponse de personne."
)
SENT = "Email de test envoyé avec succès à {} !"
FAILED = "Erreur : {}"


class TestMailState(rx.State):
    """What is tested, and the result of the last test. A text that is not saved yet stays on the server."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    is_open: bool = False
    event_id: str = ""
    email_type: str = ""
    own_address: str = ""
    is_chosen: bool = False
    error: str = ""
    succeeded: str = ""
    failed: str = ""
    words: str = ""
    is_waiting: bool = False
    attempt: int = 0

    _broadcast_id: str = ""
    _text: tuple[str, str] | None = None
    _mail_id: str = ""
    _to: str = ""

    @rx.event
    def ask_event(self, event_id: str) -> None:
        """Test one of the mails of an event; the dialog asks which."""
        self._open(event_id=event_id, email_type=TYPES[0][0])

    @rx.event
    def close(self) -> None:
        """Close the dialog; a test in the queue is still sent."""
        self.is_open = self.is_waiting = False

    @rx.event
    async def send(self, entries: list[list[str]]) -> None:
        """Queue the test, then poll its delivery."""
        typed = dict(pairs_of(entries))
        self._to, self.error, self.succeeded = typed.get("test_email", "").strip(), "", ""
        self.failed = self.words = ""
        try:
            self._mail_id = await self._queue(typed)
        except Refusal as refusal:
            if refusal.field == "testEmail":
                self.error = refusal.text
            else:
                self.failed = FAILED.format(refusal.text)
            self.attempt += 1
            return
        except Exception as error:  # the sentence of what failed stays, with the reference of the log line
            self.failed = f"{FAILED.format(test_mails.FAILED)}. {explain_failure(error)}"
            self.attempt += 1
            return
        self.is_waiting = True

    @rx.event
    async def follow(self) -> None:
        """Read whether the test was sent."""
        if not self.is_waiting:
            return
        delivery = await read(test_mails.read_status, actor(), self._mail_id)
        self.words = delivery.words
        if delivery.state == "waiting":
            self.failed = FAILED.format(delivery.reason) if delivery.reason else ""
            return
        self.is_waiting = False
        self.succeeded = SENT.format(self._to) if delivery.state == "sent" else ""
        self.failed = "" if delivery.state == "sent" else FAILED.format(delivery.reason)

    async def _queue(self, typed: dict[str, str]) -> str:
        if self._broadcast_id:
            return await write(test_mails.send_broadcast_test, actor(), to=self._to, broadcast_id=self._broadcast_id)
        return await write(
            test_mails.send_event_test,
            actor(),
            to=self._to,
            event_id=self.event_id,
            email_type=self.email_type if self.is_chosen else typed.get("email_type", ""),
            text=EventTemplate(*self._text) if self._text else None,
        )

    def _open(
        self,
        *,
        event_id: str = "",
        email_type: str = "",
        broadcast_id: str = "",
        text: tuple[str, str] | None = None,
    ) -> None:
        """Open the dialog; `text`, if given, is tested in place of the saved one."""
        self.event_id, self.email_type, self._broadcast_id, self._text = event_id, email_type, broadcast_id, text
        self.is_chosen = bool(broadcast_id or text)
        self.error = self.succeeded = self.failed = self.words = ""
        self.own_address = actor().email
        self.is_waiting, self.is_open = False, True


# While the relay puts a test off, another can be sent, to another address perhaps.
_is_busy = TestMailState.is_waiting & (TestMailState.failed == "")


def send_test_dialog() -> rx.Component:
    """The dialog; a screen holds it once."""
    return dialog(
        "Envoyer un e-mail de test",
        entries_form(
            rx.cond(
                TestMailState.is_chosen,
                rx.fragment(),
                select("E-mail", "email_type", TYPES, default_value=TestMailState.email_type),
            ),
            field(
                "Adresse e-mail de test",
                "test_email",
                type="email",
                required=True,
                auto_complete="email",
                default_value=TestMailState.own_address,
                error=TestMailState.error,
                hint=_HINT,
                data_autofocus="true",
            ),
            _result(),
            form_actions(
                button("Fermer", variant="secondary", on_click=TestMailState.close),
                button("Envoyer le test", type="submit", busy=_is_busy, busy_label="Envoi en cours…"),
            ),
            on_entries=TestMailState.send,
            busy=_is_busy,
            attempt=TestMailState.attempt,
            class_name="form",
        ),
        open=TestMailState.is_open,
        on_close=TestMailState.close,
        class_name="test-mail-dialog",
    )


def _result() -> rx.Component:
    doing = rx.cond(TestMailState.failed == "", "Envoi en cours…", "Un nouvel essai suit de lui-même…")
    waiting = rx.fragment(spinner(doing), polling(FOLLOW_MS, TestMailState.follow))
    return rx.el.div(
        rx.el.div(
            show_if(TestMailState.succeeded != "", rx.el.p(TestMailState.succeeded, class_name="banner banner-green")),
            role="status",
        ),
        rx.el.div(
            show_if(
                TestMailState.failed != "",
                rx.el.p(TestMailState.failed, class_name="banner banner-red", tab_index=-1, data_form_failure="true"),
            ),
            role="alert",
        ),
        relay_words(TestMailState.words),
        rx.cond(TestMailState.is_waiting, waiting, rx.fragment()),
        class_name="test-mail-result",
    )
