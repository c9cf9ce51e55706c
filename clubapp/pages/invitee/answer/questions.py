"""The questions: attendance, lunch, guests, and whether the person takes an offered place."""

from typing import Any

import reflex as rx

from clubapp.pages.invitee.answer.parts import choice, heading, note, person, person_name, problem, step, stranger
from clubapp.pages.invitee.answer.state import AnswerState
from clubapp.services.answers import recording
from clubapp.services.answers.answer_form import NO, YES
from clubapp.ui import button
from clubapp.ui.react.forms.number_stepper import number_stepper

CHANGE_LATER = "Vous pourrez changer d’avis jusqu’au début de la rencontre, avec ce même lien."
CHANGE_UNTIL = "Vous pourrez changer d’avis jusqu’au "
NOTHING_SAVED_YET = "Rien n’est encore enregistré\u00a0: confirmez votre réponse."
FULL = (
    "La rencontre est complète pour le moment. Inscrivez-vous sur la liste d’attente\u00a0: "
    "nous vous écrivons dès qu’une place se libère pour vous."
)
_OTHER_IN_MAIL = (
    "Dans l’e-mail, vous avez choisi «\u00a0{}\u00a0». "
    "Votre réponse reste «\u00a0{}\u00a0» tant que vous ne la modifiez pas."
)
_view: Any = AnswerState.view  # its attributes are Vars


def attendance_step() -> rx.Component:
    """Yes or no. The suggested answer is the primary button; it is recorded only when pressed."""
    said_no = AnswerState.choice == NO
    keep = button("Garder ma réponse", variant="quiet", on_click=AnswerState.keep, class_name="answer-change")
    return step(
        person_name(),
        heading("Serez-vous des nôtres\u00a0?"),
        rx.cond(AnswerState.is_changing, other_choice_in_mail(), _nothing_saved_yet()),
        rx.cond(_view.event.is_full, rx.el.p(FULL, class_name="answer-differs answer-full"), rx.fragment()),
        rx.el.div(
            choice(
                rx.cond(_view.event.is_full, "Oui, sur la liste d’attente", "Oui, je viens"), f"attend:{YES}", ~said_no
            ),
            choice("Non, pas cette fois", f"attend:{NO}", said_no),
            class_name="answer-choices",
        ),
        problem(),
        rx.cond(AnswerState.is_changing, keep, rx.fragment()),
        change_later(),
        stranger(),
    )


def lunch_step() -> rx.Component:
    """With lunch or not."""
    declined = ~_view.with_lunch.is_none() & ~_view.with_lunch
    return step(
        heading("Resterez-vous déjeuner\u00a0?"),
        rx.el.div(
            choice("Oui, avec déjeuner", f"lunch:{YES}", ~declined),
            choice("Non, sans déjeuner", f"lunch:{NO}", declined),
            class_name="answer-choices",
        ),
        problem(),
        change(),
    )


def guests_step() -> rx.Component:
    """The number of guests."""
    refused = AnswerState.is_refused
    rule = rx.el.p(recording.TOO_MANY_GUESTS, id="guest-note", class_name="answer-note")
    refusal = rx.el.p(AnswerState.problem, id="guest-note", class_name="answer-note answer-note-refused")
    left = rx.cond((_view.guests_left != "") & ~refused, note(_view.guests_left), rx.fragment())
    return step(
        heading("Combien d’invités vous accompagnent\u00a0?"),
        rx.el.form(
            rx.el.label("Nombre d’invités", html_for="guest_count", class_name="answer-label"),
            number_stepper(
                "guest_count", _view.guest_count, recording.MAX_GUESTS, refused=refused, described_by="guest-note"
            ),
            rx.cond(refused, rx.fragment(), rule),
            rx.el.div(rx.cond(refused, refusal, rx.fragment()), role="alert"),
            left,
            rx.cond(refused, rx.fragment(), problem()),
            button("Valider", type="submit", class_name="answer-go"),
            data_say="guests:guest_count",
            no_validate=True,
            class_name="answer-form",
        ),
        change(),
    )


def offer_step() -> rx.Component:
    """An offered place: until when it is kept, and the buttons that take or refuse it."""
    said_no = AnswerState.choice == NO
    return step(
        person(),
        heading("Une place s’est libérée pour vous"),
        rx.el.p(
            "Elle vous est réservée jusqu’au ",
            rx.el.strong(_view.offer_until),
            ".",
            class_name="answer-said answer-kept-until",
        ),
        rx.el.div(
            choice("Oui, je prends la place", f"attend:{YES}", ~said_no),
            choice("Non, je la laisse", f"attend:{NO}", said_no),
            class_name="answer-choices",
        ),
        problem(),
        note("Sans réponse d’ici là, elle sera proposée à la personne suivante."),
    )


def change_later() -> rx.Component:
    """Until when the answer can be changed."""
    closes = _view.event.closes
    return note(rx.cond(closes != "", rx.fragment(CHANGE_UNTIL, closes, ", avec ce même lien."), CHANGE_LATER))


def change() -> rx.Component:
    """The button that changes the answer."""
    return button("Modifier ma réponse", variant="quiet", on_click=AnswerState.change, class_name="answer-change")


def other_choice_in_mail() -> rx.Component:
    """Shown when the button pressed in the mail differs from the recorded answer, which is kept."""
    differs = AnswerState.is_from_mail & (AnswerState.choice != rx.cond(_view.will_attend, YES, NO))
    text = rx.cond(
        _view.will_attend,
        _OTHER_IN_MAIL.format("Non", "Oui"),
        _OTHER_IN_MAIL.format("Oui", "Non"),
    )
    return rx.cond(differs, rx.el.p(text, role="status", class_name="answer-differs"), rx.fragment())


def _nothing_saved_yet() -> rx.Component:
    hint = rx.el.p(NOTHING_SAVED_YET, class_name="answer-hint")
    return rx.cond(AnswerState.is_from_mail, hint, rx.fragment())
