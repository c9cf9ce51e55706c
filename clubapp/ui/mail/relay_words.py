"""What the mail server replied, for whoever wants to know."""

import reflex as rx

from clubapp.ui.kit.text import Text, show_if, visually_hidden


def relay_words(words: Text, about: Text = "") -> rx.Component:
    """The reply, folded under 'Détails'; nothing without one. `about` tells listeners of which message it is."""
    summary = rx.el.summary("Détails", visually_hidden(about))
    details = rx.el.details(summary, rx.el.q(words, class_name="relay-words"), class_name="small-details")
    return show_if(words != "", details)
