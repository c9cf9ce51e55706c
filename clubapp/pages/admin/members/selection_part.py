"""The bar of acts on the chosen members, and the question before each."""

from typing import Any

import reflex as rx

from clubapp.pages.admin.members.selection_state import SelectionState
from clubapp.pages.admin.members.state import MembersState
from clubapp.services.base.form_fields import DOMAIN_CHOICES, NOTHING
from clubapp.services.base.pagination import MOST_CHOSEN
from clubapp.services.members.bulk_acts import DOMAIN, INACTIVE, PHOTOGRAPH
from clubapp.ui import button, confirm_dialog, dialog, form_actions, select
from clubapp.ui.kit.icon import Icon, icon
from clubapp.ui.react.forms.entries_form import entries_form
from clubapp.ui.react.lists.selectable_rows import SelectableRows, SelectionAct, SelectionBar

_chosen: Any = SelectionState.chosen
_state = SelectionState


def selectable(*content: rx.Component) -> rx.Component:
    """The list of members, whose rows can be chosen, and the bar of acts."""
    bar = SelectionBar.create(
        SelectionAct.create(icon("mail"), label="Écrire", act="write", on_act=_state.compose),
        _act("image", "Demander leur photo", PHOTOGRAPH, "Demander sa photo"),
        _act("building", "Domaine", DOMAIN),
        _act("pause", "Rendre inactifs", INACTIVE, "Rendre inactif"),
        SelectionAct.create(icon("download"), label="Exporter", act="export", on_act=_state.export),
        label="Membres choisis",
        rows=MembersState.listing.ids,
        found=MembersState.listing.found,
        most=MOST_CHOSEN,
        on_all=_state.choose_all,
    )
    return SelectableRows.create(*content, bar, everything=_state.everything, round=_state.round, done=_state.done)


def selection_questions() -> rx.Component:
    """What is asked before an act on the chosen members."""
    return rx.fragment(
        confirm_dialog(
            rx.cond(_chosen.count > 1, f"Rendre inactifs {_chosen.count} membres", f"Rendre inactif {_chosen.names}"),
            f"{_chosen.names}. Inactif, un membre quitte l’annuaire, ne reçoit plus d’e-mails, ne peut plus se "
            "connecter comme membre, et ses places aux prochaines rencontres sont libérées. Sa fiche reste.",
            open=_state.asking == INACTIVE,
            on_confirm=_state.deactivate,
            on_cancel=_state.close,
            confirm_label=rx.cond(_chosen.count > 1, "Rendre inactifs", "Rendre inactif"),
            busy=_state.is_busy,
        ),
        confirm_dialog(
            rx.cond(_chosen.count > 1, "Demander leur photo", "Demander sa photo"),
            rx.cond(
                _chosen.askable > 1,
                f"{_chosen.askable} membres recevront un e-mail qui leur montre où ajouter leur photo.",
                f"{_chosen.askable} membre recevra un e-mail qui lui montre où ajouter sa photo.",
            ),
            rx.el.p(
                "Ceux qui ont une photo, n’ont pas d’adresse, ne veulent plus d’e-mails ou ont reçu cette demande "
                "depuis moins de trente jours ne reçoivent rien.",
                class_name="muted",
            ),
            open=_state.asking == PHOTOGRAPH,
            on_confirm=_state.ask_for_photographs,
            on_cancel=_state.close,
            confirm_label="Envoyer",
            busy=_state.is_busy,
        ),
        dialog(
            "Changer de domaine",
            _domain_form(),
            open=_state.asking == DOMAIN,
            on_close=_state.close,
            description=_chosen.names,
        ),
    )


def _domain_form() -> rx.Component:
    return entries_form(
        select(
            "Nouveau domaine d’activité",
            "domain",
            [(NOTHING, "Choisir un domaine"), *DOMAIN_CHOICES[1:]],
            required=True,
            default_value=NOTHING,
            error=_state.problem,
            id="chosen-domain",
        ),
        form_actions(
            button("Annuler", variant="secondary", on_click=_state.close),
            button("Changer de domaine", type="submit", busy=_state.is_busy, busy_label="Enregistrement…"),
        ),
        on_entries=_state.change_domain,
        busy=_state.is_busy,
        attempt=_state.attempt,
        class_name="form",
    )


def _act(drawing: Icon, label: str, act: str, one: str = "") -> rx.Component:
    """An act that is asked about; `one` is its label for a single member, where it differs."""
    return SelectionAct.create(icon(drawing), label=label, one=one or label, act=act, on_act=_state.ask)
