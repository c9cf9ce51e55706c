"""The questions: attendance, lunch, guests, and whether the person takes an offered place."""

from typing import Any

import reflex as rx

from clubapp.pages.invitee.answer.parts import (
    VISIT,
    choice,
    go_form,
    heading,
    hidden,
    lunch_closed,
    note,
    person,
    person_name,
    post_form,
    problem,
    step,
    stranger,
)
from clubapp.services.answers import page, recording
from clubapp.services.answers.answer_form import NO, YES
from clubapp.ui import button

CHANGE_LATER = "Vous pourrez changer d’avis jusqu’au début de la rencontre, avec ce même lien."
CHANGE_UNTIL = "Vous pourrez changer d’avis jusqu’au "
NOTHING_SAVED_YET = "Rien n’est encore enregistré\u00a0: confirmez votre réponse."
FULL = (
    "La rencontre est complète pour le moment. Inscrivez-vous sur la liste d’attente\u00a0: "
    "nous vous écrivons dès qu’une place se libère pour vous."
)
ALREADY_WAITING = "Vous êtes sur la liste d’attente\u00a0: avec «\u00a0Oui\u00a0», vous y gardez votre rang."
_OTHER_IN_MAIL = (
    "Dans l’e-mail, vous avez choisi «\u00a0{}\u00a0». "
    "Votre réponse reste «\u00a0{}\u00a0» tant que vous ne la modifiez pas."
)
_view: Any = VISIT.view


def attendance_step() -> rx.Component:
    """Yes or no. The suggested answer is the primary button; it is recorded only when pressed."""
    said_no = VISIT.choice == NO
    keep = go_form("Garder ma réponse", to=rx.cond(VISIT.left == page.GUESTS, page.GUESTS, page.CALENDAR))
    return step(
        person_name(),
        heading("Serez-vous des nôtres\u00a0?"),
        rx.cond(VISIT.is_changing, other_choice_in_mail(), _nothing_saved_yet()),
        post_form(
            choice(
                rx.cond(_view.event.is_full, "Oui, sur la liste d’attente", "Oui, je viens"),
                "will_attend",
                "true",
                ~said_no,
            ),
            choice("Non, pas cette fois", "will_attend", "false", said_no),
            class_name="answer-choices",
        ),
        problem(),
        # Below the buttons, which say it too: on a small phone both of them stay in view.
        rx.cond(_view.event.is_full, _why_waiting(), rx.fragment()),
        rx.cond(VISIT.is_changing, keep, rx.fragment()),
        change_later(),
        stranger(),
    )


def lunch_step() -> rx.Component:
    """With lunch or not."""
    declined = ~_view.with_lunch.is_none() & ~_view.with_lunch
    return step(
        heading("Resterez-vous déjeuner\u00a0?"),
        post_form(
            choice("Oui, avec déjeuner", "with_lunch", "true", ~declined),
            choice("Non, sans déjeuner", "with_lunch", "false", declined),
            class_name="answer-choices",
        ),
        problem(),
        lunch_closed(),
        change(),
    )


def guests_step() -> rx.Component:
    """The number of guests."""
    refused = VISIT.is_refused
    rule = rx.el.p(recording.TOO_MANY_GUESTS, id="guest-note", class_name="answer-note")
    refusal = rx.el.p(VISIT.problem, id="guest-note", class_name="answer-note answer-note-refused")
    few = rx.el.p(_view.guests_left, id="guest-note", class_name="answer-note")
    left = rx.cond((_view.guests_left != "") & ~refused, few, rx.fragment())
    return step(
        heading("Combien d’invités vous accompagnent\u00a0?"),
        post_form(
            rx.el.label("Nombre d’invités", html_for="guest_count", class_name="answer-label"),
            rx.el.div(
                _guest_press("Un invité de moins", "−", -1),
                rx.el.input(
                    id="guest_count",
                    name="guest_count",
                    default_value=_view.guest_count,
                    type="number",
                    min="0",
                    max=_view.guest_limit,
                    input_mode="numeric",
                    auto_complete="off",
                    aria_describedby="guest-note",
                    aria_invalid=refused,
                    class_name="guest-number",
                ),
                _guest_press("Un invité de plus", "+", 1),
                class_name="guest-stepper",
            ),
            rx.cond(refused | (_view.guests_left != ""), rx.fragment(), rule),
            rx.el.div(rx.cond(refused, refusal, rx.fragment()), role="alert"),
            left,
            rx.cond(refused, rx.fragment(), problem()),
            button("Valider", type="submit", class_name="answer-go"),
            class_name="answer-form",
        ),
        change(),
    )


def offer_step() -> rx.Component:
    """An offered place: until when it is kept, and the buttons that take or refuse it."""
    said_no = VISIT.choice == NO
    return step(
        person(),
        heading("Une place s’est libérée pour vous"),
        rx.el.p(
            "Elle vous est réservée jusqu’au ",
            rx.el.strong(_view.offer_until),
            ".",
            class_name="answer-said answer-kept-until",
        ),
        post_form(
            hidden("left", page.OFFER),
            choice("Oui, je prends la place", "will_attend", "true", ~said_no),
            choice("Non, je la laisse", "will_attend", "false", said_no),
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
    """The button that changes the answer: it goes back to the first question, and what is recorded stands."""
    from_mail = rx.cond(VISIT.is_from_mail, hidden("answer", VISIT.choice), rx.fragment())
    return go_form("Modifier ma réponse", hidden("left", _view.step), from_mail, to=page.ATTENDANCE)


def other_choice_in_mail() -> rx.Component:
    """Shown when the button pressed in the mail differs from the recorded answer, which is kept."""
    differs = VISIT.is_from_mail & (VISIT.choice != rx.cond(_view.will_attend, YES, NO))
    text = rx.cond(
        _view.will_attend,
        _OTHER_IN_MAIL.format("Non", "Oui"),
        _OTHER_IN_MAIL.format("Oui", "Non"),
    )
    return rx.cond(differs, rx.el.p(text, role="status", class_name="answer-differs"), rx.fragment())


def _why_waiting() -> rx.Component:
    return rx.el.p(rx.cond(_view.is_waiting, ALREADY_WAITING, FULL), class_name="answer-differs answer-full")


def _nothing_saved_yet() -> rx.Component:
    hint = rx.el.p(NOTHING_SAVED_YET, class_name="answer-hint")
    return rx.cond(VISIT.is_from_mail, hint, rx.fragment())


def _guest_press(label: str, sign: str, by: int) -> rx.Component:
    """A button that adds or takes one away; the page's script works it, and shows it."""
    return rx.el.button(
        sign,
        type="button",
        aria_label=label,
        aria_controls="guest_count",
        data_by=str(by),
        class_name="guest-press",
    )
