"""The form of the member's own profile."""

from typing import Any

import reflex as rx

from clubapp.pages.member.profile.state import ProfileState
from clubapp.ui import button, field, form_row, panel
from clubapp.ui.directory.member_page import member_view
from clubapp.ui.records.image_field import image_field
from clubapp.ui.records.own_form import LISTED, READ_ONLY, own_area, own_form, own_line, own_preview


def profile_panel() -> rx.Component:
    """The fields that members may change themselves."""
    own = ProfileState.own
    photo = image_field(
        "Photo",
        value=ProfileState.form.image_url,
        fallback=own.initials,
        alt=own.name,
        error=ProfileState.errors["image_url"],
    )
    lists = ("expertise", "services")
    return panel("Ma fiche", own_form(ProfileState, photo, *_fields(), id=own.id, draft="profil", lists=lists))


def preview_dialog() -> rx.Component:
    """The dialog with the public page that the typed values make."""
    page = member_view(ProfileState.page, heading=rx.el.h2)
    return own_preview(ProfileState, "Aperçu de votre page publique", page)


def _fields() -> list[rx.Component]:
    own = ProfileState.own
    return [
        form_row(
            field("Nom complet", "name", value=own.name, read_only=True, hint=READ_ONLY),
            field("Entreprise", "company", value=own.company, read_only=True, hint=READ_ONLY),
        ),
        _line("Fonction", "role", auto_complete="organization-title"),
        form_row(_email(), _line("Téléphone", "phone", "tel", auto_complete="tel")),
        form_row(_line("LinkedIn", "linkedin", "url"), _line("Site web", "website", "url", auto_complete="url")),
        own_area(ProfileState, "Description", "description", 6),
        own_area(ProfileState, "Domaines d'expertise", "expertise", 2, hint=LISTED),
        own_area(ProfileState, "Services proposés", "services", 2, hint=LISTED),
    ]


def _line(label: str, name: str, type: Any = "text", **props: Any) -> rx.Component:
    return own_line(ProfileState, label, name, type, **props)


def _email() -> rx.Component:
    own = ProfileState.own
    waiting = rx.el.div(
        rx.el.p(rx.el.strong("En attente de confirmation"), "\u00a0: ", own.pending.email, class_name="pending-email"),
        rx.el.p(
            "Ouvrez le lien que cette adresse a reçu, avant le ",
            own.pending.until,
            ". D’ici là, l’adresse ci-dessus reste la bonne.",
        ),
        rx.el.div(
            button("Renvoyer le lien", variant="quiet", on_click=ProfileState.resend),
            button("Annuler le changement", variant="quiet", on_click=ProfileState.keep_address),
            class_name="pending-actions",
        ),
        role="status",
        class_name="pending-change",
    )
    # A new key when a change of address begins or ends, so that the field shows the valid address.
    typed = rx.el.div(
        _line("E-mail", "email", "email", auto_complete="email", hint="Cette adresse sert aussi à vous connecter."),
        key=f"{ProfileState.form.email} {own.pending.email}",
    )
    return rx.el.div(typed, rx.cond(own.pending.email != "", waiting, rx.fragment()), class_name="email-block")
