"""What the public site shows of the member; each choice takes effect at once (P1)."""

from typing import Any

import reflex as rx

from clubapp.pages.member.profile.state import ProfileState
from clubapp.ui import checkbox, page_link, panel


def visibility_panel() -> rx.Component:
    """The four switches, and the link to the public page."""
    own = ProfileState.own
    return panel(
        "Ce que le site public montre",
        rx.el.p("Chaque choix prend effet tout de suite, sans enregistrer.", class_name="muted"),
        rx.el.div(
            _switch(
                "Figurer dans l’annuaire",
                "is_listed",
                own.is_listed,
                "Décoché, votre page, votre carte et votre place dans l’équipe de votre entreprise disparaissent. "
                "Vous restez membre, et continuez de recevoir les invitations.",
            ),
            _switch("Montrer mon e-mail", "shows_email", own.shows_email, "Sinon, les messages passent par le club."),
            _switch("Montrer mon téléphone", "shows_phone", own.shows_phone, "Sinon, personne ne le voit en ligne."),
            _switch("Montrer ma photo", "shows_photo", own.shows_photo, "Sinon, vos initiales la remplacent."),
            class_name="switches",
        ),
        rx.cond(
            own.is_listed,
            page_link("Voir ma page publique", to=own.public_href, class_name="button button-quiet"),
            rx.el.p("Vous ne figurez pas dans l’annuaire.", class_name="muted"),
        ),
        class_name="visibility",
    )


def _switch(label: str, choice: str, shown: Any, hint: str) -> rx.Component:
    return checkbox(
        label,
        choice,
        hint=hint,
        checked=shown,
        on_change=lambda checked: ProfileState.choose(choice, checked),
        role="switch",
    )
