"""The competitors of the member whose form is open, and the animator's decision about each (D1)."""

from typing import Any, cast

import reflex as rx

from clubapp.pages.admin.members.competition_state import UNDECIDED, CompetitionState
from clubapp.pages.admin.members.state import MemberFormState
from clubapp.services.members.competition import Competitor, reason_field_name
from clubapp.ui import badge, checkbox, hidden_field, page_link
from clubapp.ui.kit.field import aria_attributes, error_line
from clubapp.ui.react.forms.field_watch import field_watch

RULE = (
    "La règle du club\u00a0: un nouveau membre n’exerce pas une activité en concurrence directe avec celle d’un membre "
    "existant."
)
COMPARED = "Sont comparés leurs métiers, leurs expertises et leurs services, avec ceux de leurs entreprises."
NOBODY = "Aucun membre n’exerce une activité proche de celle-ci."
_errors: Any = MemberFormState.errors
_WATCHED = ["id", "role", "company_id", "activity_domain", "expertise", "services"]
_VERDICTS = ((UNDECIDED, "À décider"), ("compatible", "Compatible"), ("accepted", "Concurrence acceptée"))


def competition_panel() -> rx.Component:
    """The competitors, each with the decision that is recorded or still to be made; the near ones come first."""
    undecided = rx.cond(CompetitionState.undecided != "", badge(CompetitionState.undecided, "amber"), rx.fragment())
    return rx.el.fieldset(
        rx.el.legend("Concurrence", tab_index=-1, data_autofocus=rx.cond(MemberFormState.is_to_decide, "true", None)),
        field_watch(names=_WATCHED, on_fields=CompetitionState.look),
        rx.el.p(RULE, " ", COMPARED, class_name="field-hint"),
        rx.el.div(undecided, role="status"),
        rx.cond(
            CompetitionState.competitors,
            rx.el.ul(rx.foreach(CompetitionState.competitors, _competitor), class_name="rivals"),
            rx.cond(CompetitionState.has_looked, rx.el.p(NOBODY, class_name="rivals-none"), rx.fragment()),
        ),
        rx.cond(CompetitionState.domain, _domain(), rx.fragment()),
        data_derived="true",
        class_name="record-group",
    )


def _domain() -> rx.Component:
    """Those who share nothing but the domain, folded, and one press that finds them all compatible."""
    everyone = checkbox(
        rx.cond(
            CompetitionState.open_domain > 1,
            f"Les {CompetitionState.open_domain} autres du domaine sont compatibles",
            "L’autre du domaine est compatible",
        ),
        "all_compatible",
    )
    return rx.fragment(
        rx.cond(CompetitionState.open_domain > 0, everyone, rx.fragment()),
        rx.el.details(
            rx.el.summary(
                "Même domaine, rien de commun (",
                rx.Var.create(CompetitionState.domain).length(),
                ")",
                class_name="rivals-summary",
            ),
            rx.el.ul(rx.foreach(CompetitionState.domain, _of_domain), class_name="rivals"),
            class_name="rivals-domain",
        ),
    )


def _of_domain(competitor: Competitor) -> rx.Component:
    return _competitor(competitor, hidden_field("domain_competitor", competitor.member_id))


def _competitor(competitor: Competitor, *more: rx.Component) -> rx.Component:
    clashes, others = cast("Any", competitor.alike), cast("Any", competitor.others)
    terms = rx.el.ul(
        rx.foreach(clashes, lambda term: rx.el.li(rx.el.mark(term))),
        rx.foreach(others, rx.el.li),
        aria_label="Métier, expertises et services",
        class_name="rival-terms",
    )
    alike = rx.cond((clashes.length() > 0) | (others.length() > 0), terms, rx.fragment())
    decided = rx.cond(competitor.decided != "", rx.el.p(competitor.decided, class_name="field-hint"), rx.fragment())
    return rx.el.li(
        rx.el.div(
            rx.el.p(
                page_link(
                    competitor.name, to=f"/membres/{competitor.member_id}", target="_blank", class_name="rival-name"
                ),
                rx.cond(competitor.company != "", f", {competitor.company}", ""),
            ),
            rx.cond(competitor.is_same_domain, badge("Même domaine", "amber"), rx.fragment()),
            alike,
            decided,
            class_name="rival-about",
        ),
        _decision(competitor),
        *more,
        # A stored decision that a change of trade overtakes is to be made again.
        key=competitor.member_id + competitor.verdict,
        class_name="rival",
    )


def _decision(competitor: Competitor) -> rx.Component:
    chosen = rx.cond(competitor.verdict != "", competitor.verdict, UNDECIDED)
    reason_id = reason_field_name(competitor.member_id)
    error = rx.cond(_errors.contains(reason_id), _errors[reason_id], "")
    return rx.el.div(
        hidden_field("competitor", competitor.member_id),
        rx.el.select(
            *[rx.el.option(label, value=value) for value, label in _VERDICTS],
            name="verdict",
            default_value=chosen,
            on_change=lambda verdict: CompetitionState.choose(competitor.member_id, verdict),
            aria_label=f"Décision pour {competitor.name}",
            class_name="control control-select",
        ),
        rx.el.input(
            id=reason_id,
            name="reason",
            default_value=competitor.reason,
            on_change=lambda reason: CompetitionState.explain(competitor.member_id, reason),
            placeholder="Raison, si elle est acceptée",
            aria_label=f"Raison pour {competitor.name}",
            max_length=200,
            auto_complete="off",
            class_name="control",
            **aria_attributes(reason_id, "", error),
        ),
        error_line(reason_id, error),
        class_name="rival-decision",
    )
