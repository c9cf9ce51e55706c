"""The title of the browser's tab."""

from typing import Any

import reflex as rx

from clubapp.ui.frame.club_identity import ClubState


def page_title(text: Any) -> rx.Var[str]:
    """'Nos membres · Cercle du Beffroi', as the documents say it; the club's name alone while the text is empty."""
    subject, name = rx.Var.create(text), ClubState.club.name
    return rx.cond(subject != "", rx.cond(name != "", f"{subject} · {name}", subject), name)  # type: ignore[return-value]
