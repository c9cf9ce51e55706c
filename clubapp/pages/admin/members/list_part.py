"""The list of members, its search, and the question before one is deleted."""

import reflex as rx

from clubapp.pages.admin.members.state import MemberFormState, MembersState
from clubapp.services.member_list import MemberRow
from clubapp.services.typed import DOMAIN_CHOICES
from clubapp.ui import badge, button, confirm_dialog, empty_state, error_state, panel, spinner
from clubapp.ui.image import picture
from clubapp.ui.records import ALL, missing_badge, more_button, record_filter, record_row, record_rows, record_search

ASK_TO_DELETE = "Êtes-vous sûr de vouloir supprimer ce membre ?"
_STATUSES = ((ALL, "Actifs et inactifs"), ("active", "Actifs"), ("inactive", "Inactifs"))
_COMPLETENESS = ((ALL, "Toutes les fiches"), ("to_complete", "À compléter"))
_DOMAINS = ((ALL, "Tous les domaines"), *DOMAIN_CHOICES[1:])

_listing, _wanted = MembersState.listing, MembersState.wanted


def member_rows() -> rx.Component:
    """The members, or why they are not there."""
    shown = rx.fragment(
        _search(),
        rx.el.p(_listing.found_label, role="status", class_name="people-found"),
        rx.cond(_listing.rows, _rows(), _nobody()),
        more_button(_listing.more, MembersState.show_more),
    )
    return panel(
        "Liste des membres",
        rx.cond(MembersState.is_loaded, shown, rx.cond(MembersState.has_failed, _failed(), spinner())),
    )


def delete_question() -> rx.Component:
    """Asked before what cannot be undone."""
    return confirm_dialog(
        f"Supprimer {MembersState.doomed_name}",
        ASK_TO_DELETE,
        open=MembersState.doomed != "",
        on_confirm=[MembersState.delete, MemberFormState.drop(MembersState.doomed)],
        on_cancel=MembersState.keep,
        confirm_label="Supprimer",
        danger=True,
        busy=MembersState.is_busy,
    )


def _search() -> rx.Component:
    status = rx.cond(_wanted.status != "", _wanted.status, ALL)
    completeness = rx.cond(_wanted.to_complete, "to_complete", ALL)
    domain = rx.cond(_wanted.domain != "", _wanted.domain, ALL)
    return record_search(
        "Rechercher un membre",
        _wanted.text,
        MembersState.search,
        record_filter("Domaine d'activité", domain, _DOMAINS, MembersState.choose_domain),
        record_filter("Statut", status, _STATUSES, MembersState.choose_status),
        record_filter("Fiches", completeness, _COMPLETENESS, MembersState.choose_completeness),
    )


def _rows() -> rx.Component:
    return record_rows(_listing.rows, _row, "Membres")


def _row(member: MemberRow) -> rx.Component:
    return record_row(
        id=member.id,
        name=member.name,
        line=member.position,
        domain=member.domain,
        face=picture(member.picture, "", lazy=True, class_name="people-face"),
        badges=rx.fragment(
            rx.cond(member.is_active, rx.fragment(), badge("Inactif", "neutral")), missing_badge(member.missing)
        ),
        on_open=MemberFormState.edit(member.id),
        on_delete=MembersState.ask_to_delete(member.id, member.name),
    )


def _nobody() -> rx.Component:
    return rx.cond(
        _listing.found_label != "",
        empty_state("Aucun membre ne correspond", "Changez de mots ou de filtres pour en retrouver."),
        empty_state(
            "Aucun membre",
            "Créez le premier\u00a0: il paraîtra dans l'annuaire et pourra se connecter avec son adresse e-mail.",
            button("Créer le premier membre", on_click=MemberFormState.toggle_new),
        ),
    )


def _failed() -> rx.Component:
    return error_state(
        "La liste n'a pas pu être chargée",
        "Vérifiez votre connexion, puis réessayez.",
        button("Réessayer", variant="secondary", on_click=MembersState.load),
    )
