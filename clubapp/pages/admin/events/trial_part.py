"""The button that sends a test of an event's mails to oneself."""

from typing import Any

import reflex as rx

from clubapp.ui import button
from clubapp.ui.kit.button import Variant
from clubapp.ui.mail.test_mail_dialog import TrialState


def trial_button(event_id: Any, variant: Variant = "quiet") -> rx.Component:
    """'Tester l'email', which opens the dialog of the screen."""
    return button("Tester l'email", variant=variant, on_click=TrialState.ask_event(event_id))
