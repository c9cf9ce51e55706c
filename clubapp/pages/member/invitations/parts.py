"""An invitation with the form of its answer, and an entry of the list of past ones."""

from typing import Any

import reflex as rx

from clubapp.pages.member.invitations.state import InvitationsState
from clubapp.services.answers.answer_form import GUEST_CHOICES, NO, YES
from clubapp.services.answers.recording import TOO_MANY_GUESTS
from clubapp.ui import button, checkbox, empty_state, external_link, hidden_field, select, visually_hidden
from clubapp.ui.frame.club_identity import ClubState
from clubapp.ui.kit.text import show_if
from clubapp.ui.react.forms.entries_form import entries_form
from clubapp.ui.records.guest_fields import NOTHING_REQUIRED, guest_fields, own_wish_field


def coming(invitation: Any) -> rx.Component:
    """A future event: its facts, the recorded answer, and the form that changes it."""
    event = invitation.event
    return rx.el.article(
        rx.el.header(
            rx.el.h2(event.title, class_name="own-event-title"),
            rx.el.p(
                rx.el.span(invitation.said, class_name=f"badge badge-{invitation.tone}"), class_name="own-event-said"
            ),
        ),
        rx.el.dl(
            _fact("Quand", event.long_date),
            _fact("Où", rx.fragment(event.place, " ", _map(event))),
            _fact_if(event.speakers.length() > 0, "Avec", rx.foreach(event.speakers, _speaker)),
            _fact_if(event.lunch != "", "Déjeuner", rx.cond(event.lunch_closed == "", event.lunch, event.lunch_closed)),
            _fact_if(event.places != "", "Places", event.places),
            _fact_if((event.closes != "") & (invitation.closed == ""), "Répondre", "jusqu’au " + event.closes),
            class_name="own-event-facts",
        ),
        rx.cond(invitation.closed == "", rx.fragment(_form(invitation), _names(invitation)), _closed(invitation)),
        key=event.id,
        data_event_id=event.id,
        class_name="panel own-event",
    )


def past(invitation: Any) -> rx.Component:
    """A past event in one line."""
    return rx.el.li(
        rx.el.span(invitation.title, class_name="own-past-title"),
        rx.el.span(invitation.date, ", ", invitation.place, class_name="muted"),
        rx.el.span(invitation.said),
        class_name="own-past",
    )


def nothing_to_come() -> rx.Component:
    """The empty state of the list."""
    return empty_state(
        "Aucune invitation pour le moment",
        "Quand le club vous invite à une rencontre, vous la trouvez ici et vous y répondez sans chercher l’e-mail.",
    )


def _fact(name: str, value: Any) -> rx.Component:
    return rx.el.div(rx.el.dt(name), rx.el.dd(value))


def _fact_if(condition: Any, name: str, value: Any) -> rx.Component:
    return rx.cond(condition, _fact(name, value), rx.fragment())


def _speaker(speaker: Any) -> rx.Component:
    return rx.el.span(speaker, class_name="own-event-speaker")


def _map(event: Any) -> rx.Component:
    named = rx.fragment("Voir sur la carte", visually_hidden(" (nouvel onglet)"))
    return external_link(named, event.map_link, target="_blank", class_name="own-event-map")


def _form(invitation: Any) -> rx.Component:
    event = invitation.event
    refused: Any = InvitationsState.refused == event.id
    return entries_form(
        hidden_field("event_id", event.id),
        _notice(invitation),
        _attendance(invitation, refused),
        rx.el.div(
            rx.cond(event.has_lunch, _lunch(invitation), rx.fragment()),
            _guests(invitation, refused),
            class_name="own-event-more",
        ),
        rx.el.div(
            rx.cond(
                invitation.answer == "",
                _send("Envoyer ma réponse", "primary", event.id),
                _send("Changer ma réponse", "secondary", event.id),
            ),
            class_name="form-actions",
        ),
        on_entries=InvitationsState.answer,
        busy=InvitationsState.saving == event.id,
        attempt=rx.cond(refused, InvitationsState.attempt, 0),
        # An answer recorded here or elsewhere resets the fields.
        key=f"{event.id} {invitation.answer} {invitation.with_lunch} {invitation.guest_count}",
        class_name="form",
    )


def _names(invitation: Any) -> rx.Component:
    """The guests by name and the wishes for the meal, folded: nothing of it is required."""
    event = invitation.event
    saving = InvitationsState.saving == event.id
    errors = rx.cond(InvitationsState.naming == event.id, InvitationsState.guest_errors, {})
    form = entries_form(
        hidden_field("event_id", event.id),
        show_if(invitation.guests.length() > 0, rx.el.p(NOTHING_REQUIRED, class_name="muted")),
        guest_fields(invitation.guests, event.has_lunch, event.id, errors=errors),
        show_if(event.has_lunch & invitation.with_lunch, own_wish_field(invitation.meal_wish, event.id)),
        rx.el.div(
            button("Enregistrer", variant="secondary", type="submit", busy=saving, busy_label="Enregistrement…"),
            class_name="form-actions",
        ),
        on_entries=InvitationsState.name_guests,
        busy=saving,
        attempt=rx.cond(InvitationsState.naming == event.id, InvitationsState.attempt, 0),
        key=f"names {event.id} {invitation.guest_count}",
        class_name="form",
    )
    title = rx.cond(invitation.guests.length() > 0, "Nommer vos invités", "Un souhait pour le repas\u00a0?")
    named = rx.el.ul(rx.foreach(invitation.guest_names, rx.el.li), class_name="own-event-guests")
    return show_if(
        invitation.may_name,
        rx.el.div(
            show_if(invitation.guest_names.length() > 0, named),
            rx.el.details(rx.el.summary(title, class_name="own-event-naming"), form),
        ),
    )


def _send(label: str, variant: Any, event_id: Any) -> rx.Component:
    busy = InvitationsState.saving == event_id
    return button(label, variant=variant, type="submit", busy=busy, busy_label="Enregistrement…")


def _notice(invitation: Any) -> rx.Component:
    offer = rx.el.p(
        "Une place s’est libérée pour vous. Elle vous est réservée jusqu’au ",
        rx.el.strong(invitation.offer),
        "\u00a0: répondez «\u00a0Je viens\u00a0» pour la prendre.",
        class_name="banner banner-green",
    )
    full = rx.el.p(
        "La rencontre est complète pour le moment\u00a0: si vous répondez «\u00a0Je viens\u00a0», vous êtes sur la "
        "liste d’attente, et nous vous écrivons dès qu’une place se libère pour vous.",
        class_name="banner banner-amber",
    )
    return rx.cond(invitation.offer != "", offer, rx.cond(invitation.event.is_full, full, rx.fragment()))


def _attendance(invitation: Any, refused: Any) -> rx.Component:
    wrong = refused & (InvitationsState.problem_field == "will_attend")
    error_id = f"answer-error-{invitation.event.id}"
    return rx.el.fieldset(
        rx.el.legend("Serez-vous des nôtres\u00a0?", class_name="field-label"),
        *[
            _choice(invitation, value, label, wrong, error_id)
            for value, label in ((YES, "Je viens"), (NO, "Je ne viens pas"))
        ],
        rx.cond(
            wrong,
            rx.el.p(InvitationsState.problem, id=error_id, role="alert", class_name="field-error"),
            rx.fragment(),
        ),
        class_name="own-event-choices",
    )


def _choice(invitation: Any, value: str, label: str, wrong: Any, error_id: Any) -> rx.Component:
    box = rx.el.input(
        type="radio",
        name="will_attend",
        value=value,
        default_checked=invitation.answer == value,
        aria_invalid=rx.cond(wrong, "true", "false"),
        aria_describedby=rx.cond(wrong, error_id, ""),
        class_name="checkbox-box",
    )
    return rx.el.label(box, rx.el.span(label), class_name="checkbox-label")


def _lunch(invitation: Any) -> rx.Component:
    return checkbox(
        "Je reste déjeuner",
        "with_lunch",
        id=f"lunch-{invitation.event.id}",
        default_checked=invitation.with_lunch,
    )


def _guests(invitation: Any, refused: Any) -> rx.Component:
    wrong = refused & (InvitationsState.problem_field == "guest_count")
    return select(
        "Nombre d’invités",
        "guest_count",
        GUEST_CHOICES,
        id=f"guests-{invitation.event.id}",
        default_value=invitation.guest_count,
        hint=rx.cond(invitation.guests_left != "", invitation.guests_left, TOO_MANY_GUESTS),
        error=rx.cond(wrong, InvitationsState.problem, ""),
    )


def _closed(invitation: Any) -> rx.Component:
    return rx.el.p(
        invitation.closed,
        " Pour toute question, appelez ",
        ClubState.club.animator_name,
        " au ",
        external_link(ClubState.club.phone, ClubState.club.phone_href),
        ".",
        class_name="own-event-closed",
    )
