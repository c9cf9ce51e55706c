"""The list of members."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.members.selection_part import selectable
from clubapp.pages.admin.members.selection_state import SelectionState
from clubapp.pages.admin.members.state import MemberFormState, MembersState
from clubapp.services.members import listing
from clubapp.services.members.bulk_acts import INACTIVE
from clubapp.ui import badge, button, cell, panel, spinner
from clubapp.ui.kit.image import responsive_image
from clubapp.ui.react.lists.filter_memory import filter_memory
from clubapp.ui.react.lists.selectable_rows import AllCheck, RowCheck
from clubapp.ui.records.answer_mark import answer_mark
from clubapp.ui.records.layout import RecordTexts, all_chip, filter_chip, record_list
from clubapp.ui.records.table import (
    Column,
    delete_act,
    menu_act,
    missing_cell,
    phone_cell,
    record_row,
    row_opener,
    text_cell,
)

TEXTS = RecordTexts(
    title="Liste des membres",
    rows="Membres",
    search="Rechercher un membre",
    none_found="Aucun membre ne correspond",
    none="Aucun membre",
    none_hint="Créez le premier, ou importez votre fichier. Chacun paraîtra dans l’annuaire et pourra se connecter.",
    first="Créer le premier membre",
    back="Voir les membres",
    ask_to_delete="Êtes-vous sûr de vouloir supprimer ce membre ?",
)
_COLUMNS = (
    Column("Nom", "nom"),
    Column("Entreprise", "entreprise"),
    Column("Métier", "metier"),
    Column("Téléphone", "telephone"),
    Column("Dernière réponse", "reponse"),
    Column("À compléter"),
)
_CHIPS = (listing.STATUS, listing.ANSWER, listing.CAME, listing.RECORDS)
_counts: Any = MembersState.listing.counts


def member_rows() -> rx.Component:
    """The members, with search and filters."""
    chips = [
        all_chip("Tous", _CHIPS, _counts.total),
        filter_chip("Actifs", listing.STATUS, listing.ACTIVE, _counts.active),
        filter_chip("Inactifs", listing.STATUS, listing.INACTIVE, _counts.inactive),
        filter_chip("Sans réponse", listing.ANSWER, listing.SILENT, _counts.silent),
        filter_chip("Venus 3 fois", listing.CAME, listing.LATELY, _counts.came_lately),
        filter_chip("À compléter", listing.RECORDS, listing.TO_COMPLETE, _counts.to_complete),
        filter_chip("Sans photo", listing.RECORDS, listing.WITHOUT_PICTURE, _counts.without_picture),
    ]
    memories = rx.fragment(filter_memory(routes.ADMIN, routes.ADMIN_MEMBERS), filter_memory(routes.ADMIN_MEMBERS))
    check = AllCheck.create(rows=MembersState.listing.ids, label="Choisir tous les membres affichés")
    shown = record_list(
        MembersState, MemberFormState, TEXTS, _row, columns=_COLUMNS, chips=chips, kind="members", check=check
    )
    # What waits for a decision comes above the list with it: a list that stood there would be pushed down.
    is_read: Any = MembersState.is_loaded | MembersState.has_failed
    return rx.fragment(memories, rx.cond(is_read, selectable(shown), panel(TEXTS.title, spinner())))


def deletion_effects() -> rx.Component:
    """What a deletion removes, and the way to keep the record."""
    return rx.el.div(
        rx.el.p(
            "Sa fiche, sa photo, ses sessions, le contenu de ses messages et ses invitations aux prochaines rencontres "
            "seront effacés, ses places libérées. Aux rencontres passées, ses réponses restent comptées, sans son nom. "
            "S’il est intervenant d’une rencontre, son nom y reste\u00a0: modifiez-la pour l’en retirer."
        ),
        rx.cond(
            MembersState.doomed_is_active,
            rx.fragment(
                rx.el.p(
                    "Inactif, un membre quitte l’annuaire, ne reçoit plus d’e-mails, ne peut plus se connecter comme "
                    "membre, et ses places aux prochaines rencontres sont libérées. Sa fiche reste."
                ),
                button("Rendre inactif", on_click=MembersState.deactivate, disabled=MembersState.is_busy),
            ),
            rx.fragment(),
        ),
        class_name="deletion-effects",
    )


def _row(member: Any) -> rx.Component:
    face = responsive_image(member.picture, "", lazy=True, class_name="people-face")
    domain = rx.cond(member.trade != "", member.domain, "")  # without a trade it stands in its place
    inactive = rx.cond(member.is_active, rx.fragment(), badge("Inactif", "neutral"))
    set_aside = SelectionState.ask(INACTIVE, rx.Var.create([member.id]))
    doom = [MembersState.ask_to_delete(member.id, member.name), MembersState.offer_inactive(member.is_active)]
    return record_row(
        text_cell(member.company, class_name="record-company"),
        rx.cond(
            member.trade != "",
            text_cell(member.trade, member.domain, class_name="record-trade"),
            text_cell(member.domain, class_name="record-trade"),
        ),
        phone_cell(member.phone, member.phone_href),
        cell(answer_mark(member.answer), class_name="record-answer"),
        missing_cell(member.missing, member.parts, listing.ALL_PARTS),
        id=member.id,
        name=member.name,
        opener=row_opener(face, member.name, member.role, inactive, MemberFormState.edit(member.id), also=domain),
        acts=[
            rx.cond(
                member.is_active,
                menu_act("pause", "Rendre inactif", set_aside),
                menu_act("check", "Rendre actif", MembersState.activate(member.id)),
            ),
            delete_act(member.name, doom),
        ],
        page=routes.admin_member(member.id),
        check=RowCheck.create(record=member.id, label=f"Choisir {member.name}"),
    )
