"""The list of members."""

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.members.state import MemberFormState, MembersState
from clubapp.services.members.listing import MemberRow
from clubapp.ui import badge, button
from clubapp.ui.kit.image import responsive_image
from clubapp.ui.records.layout import RecordTexts, record_list
from clubapp.ui.records.rows import ALL, missing_badge, record_filter, record_row

TEXTS = RecordTexts(
    title="Liste des membres",
    rows="Membres",
    search="Rechercher un membre",
    none_found="Aucun membre ne correspond",
    none="Aucun membre",
    none_hint="Créez le premier\u00a0: il paraîtra dans l’annuaire et pourra se connecter avec son adresse e-mail.",
    first="Créer le premier membre",
    ask_to_delete="Êtes-vous sûr de vouloir supprimer ce membre ?",
)
_STATUSES = ((ALL, "Actifs et inactifs"), ("active", "Actifs"), ("inactive", "Inactifs"))


def member_rows() -> rx.Component:
    """The members, with search and filters."""
    status = rx.cond(MembersState.wanted.status != "", MembersState.wanted.status, ALL)
    statuses = record_filter("Statut", status, _STATUSES, MembersState.choose_status)
    return record_list(MembersState, MemberFormState, TEXTS, _row, statuses)


def deletion_effects() -> rx.Component:
    """What a deletion removes, and the way to keep the record."""
    return rx.el.div(
        rx.el.p(
            "Sa fiche, sa photo, ses sessions et le contenu de ses messages seront effacés, ses places aux prochaines "
            "rencontres libérées. Ses réponses restent dans les comptes, sans son nom."
        ),
        rx.cond(
            MembersState.doomed_is_active,
            rx.fragment(
                rx.el.p(
                    "Inactif, un membre quitte l’annuaire, ne reçoit plus d’e-mails et ne peut plus se connecter, mais "
                    "sa fiche reste."
                ),
                button("Rendre inactif", on_click=MembersState.deactivate, disabled=MembersState.is_busy),
            ),
            rx.fragment(),
        ),
        class_name="deletion-effects",
    )


def _row(member: MemberRow) -> rx.Component:
    return record_row(
        id=member.id,
        name=member.name,
        line=member.position,
        domain=member.domain,
        face=responsive_image(member.picture, "", lazy=True, class_name="people-face"),
        badges=rx.fragment(
            rx.cond(member.is_active, rx.fragment(), badge("Inactif", "neutral")), missing_badge(member.missing)
        ),
        page=routes.admin_member(member.id),
        on_open=MemberFormState.edit(member.id),
        on_delete=[MembersState.ask_to_delete(member.id, member.name), MembersState.offer_inactive(member.is_active)],
    )
