"""The parts of a step: heading, choices, contact, and the name of the person who answers."""

from typing import Any

import reflex as rx

from clubapp.pages.invitee.answer.state import AnswerState
from clubapp.services.answers import page
from clubapp.ui import skeleton_lines
from clubapp.ui.frame.club_identity import ClubState

QUESTION_ID = "question"
_view: Any = AnswerState.view  # its attributes are Vars


def waiting_shape() -> rx.Component:
    """The placeholder of card and question while the invitation is read."""
    return rx.fragment(
        rx.el.div(skeleton_lines(5), class_name="card answer-event answer-waiting"),
        rx.el.div(class_name="answer-question"),
    )


def progress() -> rx.Component:
    """One bar for each question, filled up to the present one."""
    done: Any = rx.match(_view.step, (page.ATTENDANCE, 1), (page.LUNCH, 2), (page.GUESTS, 3), 4)
    label = rx.cond(_view.event.has_lunch, _progress_text((1, 2, 3, 4)), _progress_text((1, 2, 2, 3)))
    return rx.el.div(
        *[_bar(number, done) for number in (1, 2, 3, 4)],
        role="img",
        aria_label=label,
        class_name="answer-progress",
    )


def _bar(number: int, done: Any) -> rx.Component:
    bar = rx.el.span(class_name=rx.cond(done.to(int) >= number, "answer-bar answer-bar-done", "answer-bar"))
    # The second question is about lunch.
    return rx.cond(_view.event.has_lunch, bar, rx.fragment()) if number == 2 else bar


def _progress_text(numbers: tuple[int, int, int, int]) -> Any:
    texts = [f"Étape {number} sur {numbers[-1]}" for number in numbers]
    steps = (page.ATTENDANCE, page.LUNCH, page.GUESTS)
    return rx.match(_view.step, *zip(steps, texts, strict=False), texts[-1])


def step(*children: Any) -> rx.Component:
    """One question; its key makes each step a new element, so that its entrance is animated."""
    return rx.el.section(*children, key=_view.step, class_name="answer-step")


def heading(text: Any) -> rx.Component:
    """The question itself, which takes the focus when it appears."""
    return rx.el.h2(text, id=QUESTION_ID, tab_index=-1, class_name="answer-heading")


def choice(text: Any, say: str, first: Any) -> rx.Component:
    """A large answer button; `say` is what `AnswerSender` sends, such as "attend:oui"; `first` marks the likely one."""
    return rx.el.button(
        rx.el.span(text),
        rx.el.span(class_name="answer-arrow", aria_hidden="true"),
        type="button",
        data_say=say,
        class_name=rx.cond(first, "answer-choice answer-choice-first", "answer-choice"),
    )


def problem() -> rx.Component:
    """What went wrong, as an alert."""
    shown = rx.el.p(AnswerState.problem, class_name="answer-problem")
    return rx.el.div(rx.cond(AnswerState.problem != "", shown, rx.fragment()), role="alert")


def note(*text: Any) -> rx.Component:
    """A line of advice below the question."""
    return rx.el.p(*text, class_name="answer-note")


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
