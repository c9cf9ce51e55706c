"""The steps of an answer. Each is one question with its heading, which takes the focus when it appears."""

from typing import Any

import reflex as rx

from clubapp.pages.invitee.answer.state import AnswerState
from clubapp.services import answers
from clubapp.ui import button, external_link, skeleton_lines, visually_hidden
from clubapp.ui.identity import ClubState
from clubapp.ui.vendor.answer_token import calendar_file_link
from clubapp.ui.vendor.guest_stepper import guest_stepper

CHANGE_LATER = "Vous pourrez changer d’avis jusqu’au début de la rencontre, avec ce même lien."
NOTHING_SAVED_YET = "Rien n’est encore enregistré\u00a0: confirmez votre réponse."
CHECK_MAIL = "Veuillez vérifier votre email ou contacter l'organisateur."
_OTHER_IN_MAIL = (
    "Dans le mail, vous avez choisi «\u00a0{}\u00a0». "
    "Votre réponse reste «\u00a0{}\u00a0» tant que vous ne la modifiez pas."
)
_view: Any = AnswerState.view  # its attributes are Vars


def waiting() -> rx.Component:
    """The shape of the card and of the question, while the invitation is read."""
    return rx.fragment(
        rx.el.div(skeleton_lines(5), class_name="card answer-event answer-waiting"),
        rx.el.div(class_name="answer-question"),
    )


def progress() -> rx.Component:
    """One bar for each question, filled up to the present one."""
    done: Any = rx.match(_view.step, (answers.ATTENDANCE, 1), (answers.LUNCH, 2), (answers.GUESTS, 3), 4)
    told = rx.cond(_view.event.has_lunch, _progress_text((1, 2, 3, 4)), _progress_text((1, 2, 2, 3)))
    return rx.el.div(
        *[_bar(number, done) for number in (1, 2, 3, 4)],
        role="img",
        aria_label=told,
        class_name="answer-progress",
    )


def _bar(number: int, done: Any) -> rx.Component:
    bar = rx.el.span(class_name=rx.cond(done.to(int) >= number, "answer-bar answer-bar-done", "answer-bar"))
    # The second question is about lunch.
    return rx.cond(_view.event.has_lunch, bar, rx.fragment()) if number == 2 else bar


def _progress_text(numbers: tuple[int, int, int, int]) -> Any:
    texts = [f"Étape {number} sur {numbers[-1]}" for number in numbers]
    steps = (answers.ATTENDANCE, answers.LUNCH, answers.GUESTS)
    return rx.match(_view.step, *zip(steps, texts, strict=False), texts[-1])


def attendance_step(question_id: str) -> rx.Component:
    """Yes or no. The answer put forward is drawn as the main one; it is recorded only when pressed."""
    said_no = AnswerState.choice == "non"
    return _step(
        rx.el.p("Vous répondez pour ", rx.el.strong(_view.member_name), class_name="answer-person"),
        _heading("Serez-vous des nôtres\u00a0?", question_id),
        rx.cond(AnswerState.is_from_mail, rx.el.p(NOTHING_SAVED_YET, class_name="answer-hint"), rx.fragment()),
        rx.el.div(
            _choice("Oui, je viens", AnswerState.attend(True), ~said_no),
            _choice("Non, pas cette fois", AnswerState.attend(False), said_no),
            class_name="answer-choices",
        ),
        _problem(),
        rx.el.p(CHANGE_LATER, class_name="answer-note"),
    )


def lunch_step(question_id: str) -> rx.Component:
    """With lunch or not."""
    declined = ~_view.with_lunch.is_none() & ~_view.with_lunch
    return _step(
        _heading("Resterez-vous déjeuner\u00a0?", question_id),
        rx.el.div(
            _choice("Oui, avec déjeuner", AnswerState.lunch(True), ~declined),
            _choice("Non, sans déjeuner", AnswerState.lunch(False), declined),
            class_name="answer-choices",
        ),
        _problem(),
    )


def guests_step(question_id: str) -> rx.Component:
    """How many come along."""
    refused = AnswerState.problem == answers.TOO_MANY_GUESTS
    note = rx.el.p(
        answers.TOO_MANY_GUESTS,
        id="guest-note",
        class_name=rx.cond(refused, "answer-note answer-note-refused", "answer-note"),
    )
    return _step(
        _heading("Combien d’invités vous accompagnent\u00a0?", question_id),
        rx.el.form(
            rx.el.label("Nombre d’invités", html_for="guest_count", class_name="answer-label"),
            guest_stepper(
                "guest_count", _view.guest_count, answers.MAX_GUESTS, refused=refused, described_by="guest-note"
            ),
            rx.el.div(note, role="alert"),
            rx.cond(refused, rx.fragment(), _problem()),
            button(
                "Valider", type="submit", busy=AnswerState.saving, busy_label="Enregistrement…", class_name="answer-go"
            ),
            on_submit=AnswerState.guests,
            no_validate=True,
            class_name="answer-form",
        ),
    )


def calendar_step(question_id: str) -> rx.Component:
    """What was recorded, the event for one's calendar, and the way to another answer."""
    attending = _view.will_attend
    return _step(
        rx.cond(attending, _thanks(question_id), _regret(question_id)),
        _other_choice_in_mail(),
        _problem(),
        button("Modifier ma réponse", variant="quiet", on_click=AnswerState.change, class_name="answer-change"),
        rx.el.p(CHANGE_LATER, class_name="answer-note"),
    )


def closed_step(question_id: str) -> rx.Component:
    """Why no answer is taken any more, and whom to ask."""
    return _step(_heading(_view.closed, question_id), _contact("Pour toute question, écrivez à "))


def error_card() -> rx.Component:
    """A link that leads nowhere, or an invitation that could not be read for now."""
    wrong_link = rx.fragment(
        rx.el.p(answers.INVALID_LINK),
        rx.el.p(CHECK_MAIL),
        _contact("L’organisateur\u00a0: "),
    )
    not_read = rx.fragment(rx.el.p(AnswerState.problem), button("Réessayer", on_click=AnswerState.retry))
    return rx.el.section(
        rx.el.h1("Erreur", tab_index=-1, class_name="answer-title"),
        rx.cond(AnswerState.problem == "", wrong_link, not_read),
        role="alert",
        class_name="card answer-error",
    )


def _step(*children: Any) -> rx.Component:
    # Its key makes each step a new element, which arrives and settles anew.
    return rx.el.section(*children, key=_view.step, class_name="answer-step")


def _heading(text: Any, question_id: str) -> rx.Component:
    return rx.el.h2(text, id=question_id, tab_index=-1, class_name="answer-heading")


def _choice(text: str, on_click: Any, first: Any) -> rx.Component:
    return rx.el.button(
        rx.el.span(text),
        rx.el.span(class_name="answer-arrow", aria_hidden="true"),
        type="button",
        on_click=on_click,
        disabled=AnswerState.saving,
        aria_busy=AnswerState.saving,
        class_name=rx.cond(first, "answer-choice answer-choice-first", "answer-choice"),
    )


def _problem() -> rx.Component:
    shown = rx.el.p(AnswerState.problem, class_name="answer-problem")
    return rx.el.div(rx.cond(AnswerState.problem != "", shown, rx.fragment()), role="alert")


def _thanks(question_id: str) -> rx.Component:
    return rx.fragment(
        rx.el.span(class_name="answer-done", aria_hidden="true"),
        _heading("Merci pour votre confirmation !", question_id),
        _summary(),
        _calendars(),
    )


def _regret(question_id: str) -> rx.Component:
    return rx.fragment(
        _heading("Réponse enregistrée", question_id),
        rx.el.p("Votre absence est notée. Merci de nous avoir prévenus.", class_name="answer-said"),
    )


def _summary() -> rx.Component:
    count = _view.guest_count
    guests = rx.el.li(count, rx.cond(count == 1, " invité", " invités"))
    lunch = rx.el.li(rx.cond(_view.with_lunch, "Avec déjeuner", "Sans déjeuner"))
    return rx.el.ul(
        rx.el.li(_view.member_name),
        rx.cond(_view.event.has_lunch, lunch, rx.fragment()),
        rx.cond(count > 0, guests, rx.fragment()),
        class_name="answer-summary",
    )


def _calendars() -> rx.Component:
    links = _view.calendar_links
    return rx.fragment(
        rx.foreach(links[:1], lambda link: _calendar(link, "button button-primary answer-go")),
        rx.el.div(
            rx.el.p("ou dans un autre agenda\u00a0:", class_name="answer-note"),
            rx.foreach(links[1:], lambda link: _calendar(link, "answer-calendar")),
            calendar_file_link("Apple (.ics)", class_name="answer-calendar"),
            class_name="answer-calendars",
        ),
    )


def _calendar(link: Any, class_name: str) -> rx.Component:
    named = rx.fragment(link.label, visually_hidden(" (nouvel onglet)"))
    return external_link(named, link.href, target="_blank", class_name=class_name)


def _other_choice_in_mail() -> rx.Component:
    """The mail's button said something else than what is recorded: nothing changes unasked."""
    differs = AnswerState.is_from_mail & (AnswerState.choice != rx.cond(_view.will_attend, "oui", "non"))
    text = rx.cond(
        _view.will_attend,
        _OTHER_IN_MAIL.format("Non", "Oui"),
        _OTHER_IN_MAIL.format("Oui", "Non"),
    )
    return rx.cond(differs, rx.el.p(text, role="status", class_name="answer-differs"), rx.fragment())


def _contact(lead: str) -> rx.Component:
    address = ClubState.contact_email
    return rx.el.p(lead, rx.el.a(address, href=f"mailto:{address}"), class_name="answer-contact")
