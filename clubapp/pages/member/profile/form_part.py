"""The form of the member's own profile."""

from typing import Any

import reflex as rx

from clubapp.pages.member.profile.preview_state import PreviewState
from clubapp.pages.member.profile.state import CHANGED_MEANWHILE, ProfileState
from clubapp.ui import button, field, form_actions, form_row, panel, text_area
from clubapp.ui.dialog import dialog
from clubapp.ui.image_field import image_field
from clubapp.ui.person_view import person_view
from clubapp.ui.vendor.entries_button import entries_button
from clubapp.ui.vendor.kept_form import kept_form

KEPT = (
    "Votre saisie est conservée. Ce qui a été enregistré entre-temps est indiqué sous chaque champ qui diffère ; "
    "enregistrez à nouveau pour garder votre version."
)
READ_ONLY = "Contactez un admin pour modifier"
LISTED = "Séparez-les par des virgules."


def profile_panel() -> rx.Component:
    """All that a member may write of themselves."""
    own, form = ProfileState.own, ProfileState.own.form
    return panel(
        "Ma fiche",
        kept_form(
            rx.el.input(type="hidden", name="seen", value=form.seen, read_only=True),
            _conflict(),
            image_field(
                "Photo",
                value=form.image_url,
                fallback=own.initials,
                alt=own.name,
                error=ProfileState.errors.image_url,
            ),
            _theirs("image_url"),
            form_row(
                field("Nom complet", "name", value=own.name, read_only=True, hint=READ_ONLY),
                field("Entreprise", "company", value=own.company, read_only=True, hint=READ_ONLY),
            ),
            _line("Rôle", "role", auto_complete="organization-title"),
            form_row(_email(), _line("Téléphone", "phone", "tel", auto_complete="tel")),
            form_row(_line("LinkedIn", "linkedin", "url"), _line("Site web", "website", "url", auto_complete="url")),
            _area("Description", "description", 6),
            _area("Domaines d'expertise", "expertise", 2, hint=LISTED),
            _area("Services proposés", "services", 2, hint=LISTED),
            form_actions(
                entries_button("Aperçu", on_entries=PreviewState.show, class_name="button button-secondary"),
                button("Enregistrer", type="submit", busy=ProfileState.is_saving, busy_label="Enregistrement…"),
            ),
            name=f"profil:{own.id}",
            on_submit=ProfileState.save,
            on_restore=ProfileState.restore,
            busy=ProfileState.is_saving,
            attempt=ProfileState.attempt,
            saved=ProfileState.saved,
            key=own.id,
            class_name="form",
        ),
    )


def preview_dialog() -> rx.Component:
    """The public page of what is typed."""
    return dialog(
        "Aperçu de votre page publique",
        rx.el.div(person_view(PreviewState.page, heading=rx.el.h2), class_name="profile-preview"),
        open=PreviewState.is_open,
        on_close=PreviewState.close,
        wide=True,
        backdrop_closes=True,
        description="Rien n'est encore enregistré.",
    )


def _email() -> rx.Component:
    own = ProfileState.own
    waiting = rx.el.div(
        rx.el.p(rx.el.strong("En attente de confirmation"), " : ", own.pending.email, class_name="pending-email"),
        rx.el.p(
            "Ouvrez le lien que cette adresse a reçu, avant le ",
            own.pending.until,
            ". D'ici là, l'adresse ci-dessus reste la bonne.",
        ),
        rx.el.div(
            button("Renvoyer le lien", variant="quiet", on_click=ProfileState.resend),
            button("Annuler le changement", variant="quiet", on_click=ProfileState.keep_address),
            class_name="pending-actions",
        ),
        role="status",
        class_name="pending-change",
    )
    # A new key when a change begins or ends: the field then shows the address that counts.
    typed = rx.el.div(
        _line("Email", "email", "email", auto_complete="email", hint="Elle sert aussi à vous connecter."),
        key=f"{own.form.email} {own.pending.email}",
    )
    return rx.el.div(typed, rx.cond(own.pending.email != "", waiting, rx.fragment()), class_name="email-block")


def _line(label: str, name: str, type: Any = "text", **props: Any) -> rx.Component:
    control = field(
        label,
        name,
        type,
        default_value=getattr(ProfileState.own.form, name),
        error=getattr(ProfileState.errors, name),
        **props,
    )
    return rx.el.div(control, _theirs(name))


def _area(label: str, name: str, rows: int, **props: Any) -> rx.Component:
    control = text_area(
        label,
        name,
        rows,
        default_value=getattr(ProfileState.own.form, name),
        error=getattr(ProfileState.errors, name),
        **props,
    )
    return rx.el.div(control, _theirs(name))


def _theirs(name: str) -> rx.Component:
    text = getattr(ProfileState.theirs, name)
    told = rx.el.p("Enregistré entre-temps : ", rx.el.q(text), class_name="field-theirs")
    return rx.cond(text != "", told, rx.fragment())


def _conflict() -> rx.Component:
    told = rx.el.div(
        rx.el.p(CHANGED_MEANWHILE, class_name="banner-title"),
        rx.el.p(ProfileState.conflict, " ", KEPT, class_name="banner-text"),
        role="alert",
        tab_index=-1,
        data_form_failure="true",
        class_name="banner banner-amber",
    )
    return rx.cond(ProfileState.conflict != "", told, rx.fragment())
