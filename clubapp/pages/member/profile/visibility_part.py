"""What the public site, and beside it the members, see of a member; each choice takes effect at once (P1)."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.member.profile.state import ProfileState
from clubapp.services.privacy.visibility import CHOICES, HIDE_CONTACTS, SHOW_CONTACTS, TO_MEMBERS, WORDINGS
from clubapp.ui import banner, button, checkbox, page_link, panel
from clubapp.ui.kit.icon import icon

# What is said to members because it is said to everyone.
_TOLD = {
    "is_listed": "Votre page leur est montrée.",
    "shows_email": "Votre e-mail leur est montré.",
    "shows_phone": "Votre téléphone leur est montré.",
    "shows_photo": "Votre photo leur est montrée.",
}


def visibility_panels() -> rx.Component:
    """What everyone sees, then what members see."""
    return rx.el.div(_for_everyone(), _for_members(), class_name="visibility-panels")


def _for_everyone() -> rx.Component:
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


def _for_members() -> rx.Component:
    """The same four for members: what is public stands there as seen by them."""
    own: Any = ProfileState.own
    listed, *rest = (
        rx.cond(
            getattr(own, choice),
            rx.el.p(icon("check", 18), _TOLD[choice], class_name="visibility-told"),
            _switch(TO_MEMBERS[choice]),
        )
        for choice in CHOICES
    )
    return panel(
        "Ce que les membres voient",
        rx.el.p(
            "Les membres connectés voient ce qui est public. Ce que vous masquez, vous pouvez le leur montrer, à eux "
            "seuls.",
            class_name="muted",
        ),
        rx.el.div(
            listed,
            rx.cond(own.is_listed | own.is_listed_to_members, rx.fragment(*rest), rx.fragment()),
            class_name="switches",
        ),
        page_link("Ouvrir l’annuaire des membres", to=routes.MEMBER_DIRECTORY, class_name="button button-quiet"),
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
