"""Below the member form: who already does this, and what the animator decides about it (D1)."""

from typing import Any

import reflex as rx

from clubapp.pages.admin.members.competition_state import UNDECIDED, CompetitionState
from clubapp.pages.admin.members.state import MemberFormState
from clubapp.services.members.competition import Competitor, reason_field_name
from clubapp.ui import badge, hidden_field, page_link
from clubapp.ui.kit.field import aria_attributes, error_line
from clubapp.ui.react.forms.field_watch import field_watch

RULE = (
    "La règle du club\u00a0: un nouveau membre n'exerce pas une activité en concurrence directe avec celle d'un membre "
    "existant."
)
NOBODY = "Aucun membre n'exerce une activité proche de celle-ci."
_errors: Any = MemberFormState.errors
_WATCHED = ["id", "company_id", "activity_domain", "expertise", "services"]
_VERDICTS = ((UNDECIDED, "À décider"), ("compatible", "Compatible"), ("accepted", "Concurrence acceptée"))


def competition_panel() -> rx.Component:
    """The neighbours in trade, each with the decision that stands or is to be taken."""
    undecided = rx.cond(CompetitionState.undecided != "", badge(CompetitionState.undecided, "amber"), rx.fragment())
    return rx.el.fieldset(
        rx.el.legend("Concurrence"),
        field_watch(names=_WATCHED, on_fields=CompetitionState.look),
        rx.el.p(RULE, class_name="field-hint"),
        rx.el.div(undecided, role="status"),
        rx.cond(
            CompetitionState.rivals,
            rx.el.ul(rx.foreach(CompetitionState.rivals, _rival), class_name="rivals"),
            rx.el.p(NOBODY, class_name="rivals-none"),
        ),
        data_derived="true",
        class_name="record-group",
    )


def _rival(rival: Competitor) -> rx.Component:
    near = rx.cond(rival.alike != "", rx.el.p("Services ou expertises proches\u00a0: ", rival.alike), rx.fragment())
    said = rx.cond(rival.decided != "", rx.el.p(rival.decided, class_name="field-hint"), rx.fragment())
    return rx.el.li(
        rx.el.div(
            rx.el.p(
                page_link(rival.name, to=f"/membres/{rival.member_id}", target="_blank", class_name="rival-name"),
                rx.cond(rival.company != "", f", {rival.company}", ""),
            ),
            rx.cond(rival.is_same_domain, badge("Même domaine", "amber"), rx.fragment()),
            near,
            said,
            class_name="rival-about",
        ),
        _decision(rival),
        key=rival.member_id,
        class_name="rival",
    )


def _decision(rival: Competitor) -> rx.Component:
    chosen = rx.cond(rival.verdict != "", rival.verdict, UNDECIDED)
    reason_id = reason_field_name(rival.member_id)
    error = rx.cond(_errors.contains(reason_id), _errors[reason_id], "")
    return rx.el.div(
        hidden_field("competitor", rival.member_id),
        rx.el.select(
            *[rx.el.option(label, value=value) for value, label in _VERDICTS],
            name="verdict",
            default_value=chosen,
            aria_label=f"Décision pour {rival.name}",
            class_name="control control-select",
        ),
        rx.el.input(
            id=reason_id,
            name="reason",
            default_value=rival.reason,
            placeholder="Raison, si elle est acceptée",
            aria_label=f"Raison pour {rival.name}",
            max_length=200,
            auto_complete="off",
            class_name="control",
            **aria_attributes(reason_id, "", error),
        ),
        error_line(reason_id, error),
        class_name="rival-decision",
    )
