"""The dialog of one attendee: their answer, the form that records one for them, their invitations."""

from typing import Any

import reflex as rx

from clubapp.pages.admin.events.detail_part import notice_box
from clubapp.pages.admin.events.people_part import delivery_badge
from clubapp.pages.admin.events.person_state import AttendeeState
from clubapp.services.answers.answer_form import GUEST_CHOICES, NO, YES
from clubapp.services.answers.recording import TOO_MANY_GUESTS
from clubapp.services.attendance.attendee_detail import PastAnswer, SentInvitation
from clubapp.ui import button, dialog, external_link, form_actions, polling, select
from clubapp.ui.kit.text import show_if
from clubapp.ui.react.forms.draft_form import draft_form
from clubapp.ui.records.guest_fields import AS_MEMBER, guest_fields, own_wish_field

FOLLOW_MS = 1000
TOLD = "Enregistré comme «\u00a0répondu par téléphone\u00a0»."
CORRECTED = "Enregistré comme «\u00a0réponse corrigée\u00a0»\u00a0: aucun e-mail ne part."

_person: Any = AttendeeState.person


def person_dialog() -> rx.Component:
    """The dialog of one attendee, polled while it is open."""
    return dialog(
        _person.name,
        polling(FOLLOW_MS, AttendeeState.follow),
        notice_box(AttendeeState.notice),
        _identity(),
        _answer(),
        rx.cond(_person.closed != "", rx.el.p(_person.closed, class_name="person-closed"), _form()),
        show_if(_person.may_name & (_person.closed == ""), _names()),
        show_if(_person.history.length() > 1, _history()),
        show_if(_person.reservation_id != "", _invitations()),
        open=AttendeeState.is_open,
        on_close=AttendeeState.close,
        class_name="person-dialog",
    )


def _identity() -> rx.Component:
    return rx.el.div(
        show_if(_person.role != "", rx.el.p(_person.role)),
        show_if(_person.company != "", rx.el.p(_person.company)),
        show_if(
            _person.phone != "",
            rx.el.p(rx.cond(_person.phone_href != "", external_link(_person.phone, _person.phone_href), _person.phone)),
        ),
        show_if(_person.email != "", rx.el.p(_person.email)),
        class_name="person-facts",
    )


def _answer() -> rx.Component:
    return rx.el.section(
        rx.el.h3("Réponse"),
        rx.el.p(
            rx.el.strong(_person.says),
            show_if(_person.party != "", rx.el.span(f", {_person.party}")),
            show_if(_person.presence != "", rx.el.span(f" · {_person.presence}", class_name="attendee-presence")),
        ),
        show_if(_person.told != "", rx.el.p(_person.told, class_name="muted")),
        role="status",
        class_name="person-answer",
    )


def _form() -> rx.Component:
    """Starts from the answer recorded when the dialog opens; choices are a draft until they are recorded."""
    lunch = rx.el.fieldset(
        rx.el.legend("Déjeuner"),
        rx.el.div(_lunch(YES, "Déjeune"), _lunch(NO, "Ne déjeune pas"), class_name="person-choices"),
    )
    return draft_form(
        rx.el.fieldset(
            rx.el.legend("Répondre pour cette personne"),
            rx.el.div(
                _choice(YES, "Vient"),
                _choice(NO, "Ne vient pas"),
                class_name="person-choices",
            ),
            show_if(
                AttendeeState.missing != "",
                rx.el.p(AttendeeState.missing, id="will-attend-error", role="alert", class_name="field-error"),
            ),
        ),
        show_if(_person.has_lunch, lunch),
        select(
            "Invités",
            "guest_count",
            GUEST_CHOICES,
            error=AttendeeState.error,
            hint=TOO_MANY_GUESTS,
            default_value=_person.guest_count.to_string(),
        ),
        rx.el.p(rx.cond(_person.has_begun, CORRECTED, TOLD), class_name="field-hint"),
        form_actions(
            button("Enregistrer la réponse", type="submit", busy=AttendeeState.is_busy, busy_label="Enregistrement…"),
        ),
        name=f"answer:{_person.event_id}:{_person.key}",
        on_submit=AttendeeState.record,
        busy=AttendeeState.is_busy,
        attempt=AttendeeState.attempt,
        saved=AttendeeState.saved,
        key=_person.key,
        class_name="form person-form",
    )


def _names() -> rx.Component:
    """The guests by name and the wishes for the meal, as far as the person says them."""
    form = draft_form(
        guest_fields(_person.guests, _person.has_lunch, "phone", unsaid=AS_MEMBER, errors=AttendeeState.guest_errors),
        show_if(_person.has_lunch & _person.with_lunch, own_wish_field(_person.meal_wish, "phone")),
        form_actions(
            button("Enregistrer les invités", variant="secondary", type="submit", busy=AttendeeState.is_busy),
        ),
        name=f"guests:{_person.event_id}:{_person.key}",
        on_submit=AttendeeState.name_guests,
        busy=AttendeeState.is_busy,
        attempt=AttendeeState.names_attempt,
        saved=AttendeeState.saved,
        key=f"{_person.key} {_person.guest_count}",
        class_name="form",
    )
    return rx.el.section(rx.el.h3("Invités et repas"), form)


def _choice(value: str, label: str) -> rx.Component:
    is_missing = rx.cond(AttendeeState.missing != "", "true", "false")
    return _radio(
        "will_attend", value, label, _person.answer, aria_invalid=is_missing, aria_describedby="will-attend-error"
    )


def _lunch(value: str, label: str) -> rx.Component:
    return _radio("with_lunch", value, label, _person.lunch)


def _radio(name: str, value: str, label: str, now: Any, **props: Any) -> rx.Component:
    box = rx.el.input(
        type="radio", name=name, value=value, default_checked=now == value, class_name="checkbox-box", **props
    )
    return rx.el.label(box, rx.el.span(label), class_name="checkbox-label")


def _history() -> rx.Component:
    return rx.el.section(
        rx.el.h3("Historique des réponses"),
        rx.el.ul(rx.foreach(_person.history, _past_answer), class_name="person-history"),
    )


def _past_answer(answer: PastAnswer) -> rx.Component:
    return rx.el.li(rx.el.strong(answer.answer), rx.el.span(answer.told, class_name="muted"))


def _invitations() -> rx.Component:
    return rx.el.section(
        rx.el.h3("Invitations"),
        rx.cond(
            _person.invitations,
            rx.el.ul(rx.foreach(_person.invitations, _sent), class_name="person-history"),
            rx.el.p("Aucun e-mail ne lui a été envoyé.", class_name="muted"),
        ),
        button(
            rx.cond(_person.invitations, "Renvoyer l’invitation", "Envoyer l’invitation"),
            variant="secondary",
            aria_disabled=rx.cond(_person.why_not != "", "true", "false"),
            aria_describedby="why-not",
            on_click=AttendeeState.resend,
        ),
        rx.el.p(
            rx.cond(_person.why_not != "", _person.why_not, "Le lien de réponse reste le même."),
            id="why-not",
            class_name="field-hint",
        ),
        class_name="person-invitations",
    )


def _sent(sent: SentInvitation) -> rx.Component:
    return rx.el.li(
        delivery_badge(sent.delivery),
        rx.el.span(sent.line),
        show_if(sent.reason != "", rx.el.span(sent.reason, class_name="muted")),
    )
