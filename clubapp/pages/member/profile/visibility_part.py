"""What the public site shows of the member; each choice takes effect at once (P1)."""

from typing import Any

import reflex as rx

from clubapp.pages.member.profile.state import ProfileState
from clubapp.services.privacy.publication import CHOICES, HIDE_CONTACTS, SHOW_CONTACTS, WORDINGS
from clubapp.ui import banner, button, checkbox, page_link, panel


def visibility_panel() -> rx.Component:
    """The four switches, and the link to the public page."""
    own = ProfileState.own
    question = rx.el.div(
        banner(
            "Le club attend votre accord", "Votre e-mail, votre téléphone et votre photo ne sont pas montrés sans lui."
        ),
        rx.el.div(
            button(SHOW_CONTACTS, on_click=ProfileState.decide(True)),
            button(HIDE_CONTACTS, variant="secondary", on_click=ProfileState.decide(False)),
            class_name="visibility-question",
        ),
    )
    return panel(
        "Ce que le site public montre",
        rx.cond(own.is_awaited, question, rx.fragment()),
        rx.el.p("Chaque choix prend effet tout de suite, sans enregistrer.", class_name="muted"),
        rx.el.div(
            *[_switch(choice) for choice in CHOICES],
            class_name="switches",
        ),
        rx.cond(
            own.is_listed,
            page_link("Voir ma page publique", to=own.public_href, class_name="button button-quiet"),
            rx.el.p("Vous ne figurez pas dans l’annuaire.", class_name="muted"),
        ),
        class_name="visibility",
    )


def _switch(choice: str) -> rx.Component:
    own: Any = ProfileState.own
    words, made = WORDINGS[choice], own.chosen[choice]
    switch = checkbox(
        words.label,
        choice,
        hint=words.hint,
        checked=getattr(own, choice),
        on_change=lambda checked: ProfileState.choose(choice, checked),
        role="switch",
    )
    return rx.el.div(switch, rx.cond(made != "", rx.el.p(made, class_name="visibility-made"), rx.fragment()))
