"""The parts of a step: heading, choices, contact, and the name of the person who answers."""

from typing import Any

import reflex as rx

from clubapp.services.answers import page
from clubapp.services.answers.page import Visit
from clubapp.ui import button
from clubapp.ui.frame.club_identity import ClubState
from clubapp.web.documents.component_templates import given

QUESTION_ID = "question"
# What the page is given, with its attributes as Vars.
VISIT: Any = given("visit", Visit)
_view: Any = VISIT.view
_BARS = (page.ATTENDANCE, *page.LATER_STEPS)


def progress() -> rx.Component:
    """One bar for each question, filled up to the present one."""
    label = rx.cond(_view.event.has_lunch, _progress_text((1, 2, 3, 4)), _progress_text((1, 2, 2, 3)))
    return rx.el.div(
        *[_bar(number) for number in range(len(_BARS))],
        role="img",
        aria_label=label,
        class_name="answer-progress",
    )


def _bar(number: int) -> rx.Component:
    is_done = rx.Var.create(list(_BARS[number:])).contains(_view.step)
    bar = rx.el.span(class_name=rx.cond(is_done, "answer-bar answer-bar-done", "answer-bar"))
    return rx.cond(_view.event.has_lunch, bar, rx.fragment()) if _BARS[number] == page.LUNCH else bar


def _progress_text(numbers: tuple[int, int, int, int]) -> Any:
    return _of_step(*(f"Étape {number} sur {numbers[-1]}" for number in numbers))


def _of_step(attendance: Any, lunch: Any, guests: Any, calendar: Any) -> Any:
    at = _view.step
    return rx.cond(
        at == page.ATTENDANCE,
        attendance,
        rx.cond(at == page.LUNCH, lunch, rx.cond(at == page.GUESTS, guests, calendar)),
    )


def step(*children: Any) -> rx.Component:
    """One question."""
    return rx.el.section(*children, class_name="answer-step")


def post_form(*children: Any, class_name: str = "") -> rx.Component:
    """The form that answers: its buttons and fields carry the names and values that are recorded."""
    return rx.el.form(
        hidden("token", VISIT.token),
        *children,
        method="post",
        action=VISIT.address + "/answer",
        no_validate=True,
        class_name=class_name,
    )


def go_form(text: Any, *fields: Any, to: Any) -> rx.Component:
    """A button that asks for the page at another step, with some hidden `fields`, and records nothing."""
    return rx.el.form(
        hidden("token", VISIT.token),
        *fields,
        button(text, variant="quiet", type="submit", name="step", value=to, class_name="answer-change"),
        method="get",
        class_name="answer-turn",
        action=VISIT.address,
    )


def hidden(name: str, value: Any) -> rx.Component:
    """A field that nobody sees."""
    return rx.el.input(type="hidden", name=name, default_value=value)


def heading(text: Any) -> rx.Component:
    """The question itself, which takes the focus when it appears."""
    return rx.el.h2(text, id=QUESTION_ID, tab_index=-1, class_name="answer-heading")


def choice(text: Any, name: str, value: str, first: Any) -> rx.Component:
    """A large answer button, which posts `name=value`; `first` marks the likely one."""
    return rx.el.button(
        rx.el.span(text),
        rx.el.span(class_name="answer-arrow", aria_hidden="true"),
        type="submit",
        name=name,
        value=value,
        class_name=rx.cond(first, "answer-choice answer-choice-first", "answer-choice"),
    )


def problem() -> rx.Component:
    """What went wrong, as an alert."""
    shown = rx.el.p(VISIT.problem, class_name="answer-problem")
    return rx.el.div(rx.cond(VISIT.problem != "", shown, rx.fragment()), role="alert")


def note(*text: Any) -> rx.Component:
    """A line of advice below the question."""
    return rx.el.p(*text, class_name="answer-note")


def lunch_closed() -> rx.Component:
    """That the caterer was told the numbers, if so."""
    closed: Any = VISIT.view.event.lunch_closed
    return rx.cond(closed == "", rx.fragment(), note(closed))


def person() -> rx.Component:
    """The name of the invited member, and what to do when somebody else opened the link."""
    return rx.fragment(person_name(), stranger())


def person_name() -> rx.Component:
    """The name of the invited member."""
    return rx.el.p("Vous répondez pour ", rx.el.strong(_view.member_name), class_name="answer-person")


def stranger() -> rx.Component:
    """What to do when somebody else opened the link."""
    advice = rx.el.p(
        "N’y répondez pas à sa place\u00a0: fermez cette page, et demandez votre propre invitation à ",
        mail_address(),
        ". La personne invitée reçoit une confirmation de chaque réponse.",
        class_name="answer-note",
    )
    return rx.el.details(
        rx.el.summary("Ce n’est pas vous\u00a0?", class_name="answer-stranger-label"),
        advice,
        class_name="answer-stranger",
    )


def mail_address() -> rx.Component:
    """The club's address as a `mailto:` link."""
    return rx.el.a(ClubState.club.email, href=f"mailto:{ClubState.club.email}")


def contact(lead: str) -> rx.Component:
    """Whom to call or write to."""
    phone = rx.fragment(rx.el.a(ClubState.club.phone, href=ClubState.club.phone_href, class_name="answer-phone"), ", ")
    return rx.el.p(
        lead,
        ClubState.club.animator_name,
        ", ",
        rx.cond(ClubState.club.phone != "", phone, rx.fragment()),
        mail_address(),
        class_name="answer-contact",
    )
