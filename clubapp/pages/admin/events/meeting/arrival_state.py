"""The arrival on a screen of events."""

from typing import ClassVar

import reflex as rx

from clubapp.pages.admin.events.day.closing_state import ClosingState
from clubapp.pages.admin.events.deletion_state import EventDeletionState
from clubapp.pages.admin.events.detail_state import EventDetailState
from clubapp.pages.admin.events.form_state import EventFormState
from clubapp.pages.admin.events.person_state import AttendeeState
from clubapp.pages.admin.events.sending_state import EventSendingState
from clubapp.ui.mail.test_mail_dialog import TestMailState
from clubapp.web.security.guard import Access


class EventArrivalState(rx.State):
    """One message for all dialogs: each message costs a phone a rendering."""

    ACCESS: ClassVar[Access] = Access.ADMIN

    @rx.event
    async def begin(self) -> None:
        """Close the dialogs that were left open; drafts are kept."""
        form = await self.get_state(EventFormState)
        if form.is_open:
            await form.close()
        for dialog in (EventDetailState, AttendeeState, TestMailState):
            shown = await self.get_state(dialog)
            if shown.is_open:
                shown.close()
        for question in (EventDeletionState, ClosingState):
            asked = await self.get_state(question)
            if asked.is_asking:
                asked.cancel()
        sending = await self.get_state(EventSendingState)
        if sending.question:
            sending.cancel()
