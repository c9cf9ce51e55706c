"""The last steps of an answer: recorded, on the waiting list, closed, or an invalid link."""

from typing import Any

import reflex as rx

from clubapp.pages.invitee.answer.names import name_guests
from clubapp.pages.invitee.answer.parts import VISIT, contact, heading, lunch_closed, note, person, problem, step
from clubapp.pages.invitee.answer.questions import change, change_later, other_choice_in_mail
from clubapp.services.answers import by_link, page, waiting_list
from clubapp.ui import external_link, link_button, visually_hidden

CHECK_MAIL = "Veuillez vérifier votre email ou contacter l'organisateur."
OFFER_GONE = "La place qui vous était réservée ne l’est plus\u00a0: le délai pour répondre est passé."
NOT_RECORDED = "Ce que vous venez d’envoyer n’a pas été enregistré."
ABSENT = "Votre absence est notée. Merci de nous avoir prévenus."
CONFIRMED_BY_MAIL = "Une confirmation vous est envoyée par e-mail."
_view: Any = VISIT.view
_query: Any = "?token=" + VISIT.token


def calendar_step() -> rx.Component:
    """What was recorded, links that add the event to a calendar, and the button that changes the answer."""
    return step(
        rx.cond(_view.will_attend, _thanks(), _regret()),
        problem(),
        change(),
        change_later(),
        person(),
    )


def waiting_step() -> rx.Component:
    """The person's place on the waiting list."""
    return step(
        heading("Vous êtes sur la liste d’attente"),
        rx.cond(
            VISIT.left == page.OFFER, rx.el.p(OFFER_GONE, role="status", class_name="answer-differs"), rx.fragment()
        ),
        rx.el.p(
            "La rencontre est complète pour le moment. ",
            rx.el.strong(_view.waiting),
            " Dès qu’une place se libère pour vous, nous vous écrivons\u00a0: elle vous est alors réservée le temps "
            "de répondre. ",
            rx.cond(_view.event.has_lunch, waiting_list.LUNCH_LATER, waiting_list.GUESTS_LATER),
            class_name="answer-said",
        ),
        other_choice_in_mail(),
        problem(),
        change(),
        note("Si vous ne pouvez plus venir, dites-le-nous\u00a0: une autre personne en profitera."),
        person(),
    )


def closed_step() -> rx.Component:
    """Why no answer is accepted any more, the recorded answer, and whom to call."""
    waits_or_comes = rx.cond(_view.is_waiting, _sentence("Vous êtes sur la liste d’attente."), _still_coming())
    absent = rx.cond(_view.will_attend.is_none(), rx.fragment(), _sentence(ABSENT))
    answered = rx.cond(_view.will_attend, waits_or_comes, absent)
    refused = rx.el.p(NOT_RECORDED, role="alert", class_name="answer-differs")
    return step(
        heading(_view.closed),
        rx.cond(VISIT.problem != "", refused, rx.fragment()),
        answered,
        contact("Pour toute question\u00a0: "),
    )


def error_card() -> rx.Component:
    """An invalid link, or an invitation that could not be read for now."""
    wrong_link = rx.fragment(
        rx.el.p(by_link.INVALID_LINK),
        rx.el.p(CHECK_MAIL),
        contact("L’organisateur\u00a0: "),
    )
    again = link_button("Réessayer", VISIT.address + _query)
    not_read = rx.fragment(
        rx.el.p(VISIT.problem, class_name="answer-unread"), rx.cond(VISIT.token != "", again, rx.fragment())
    )
    return rx.el.section(
        rx.el.h1("Erreur", tab_index=-1, class_name="answer-title"),
        rx.cond(VISIT.problem == "", wrong_link, not_read),
        role="alert",
        class_name="card answer-error",
    )


def _thanks() -> rx.Component:
    return rx.fragment(
        rx.el.span(class_name="answer-done", aria_hidden="true"),
        heading("Merci pour votre confirmation !"),
        other_choice_in_mail(),  # above the links, or who pressed 'Non' in the mail reads that it was confirmed
        _summary(),
        rx.cond(_view.with_lunch, lunch_closed(), rx.fragment()),
        name_guests(),
        _calendars(),
        rx.cond(_view.is_told, note(CONFIRMED_BY_MAIL), rx.fragment()),
    )


def _regret() -> rx.Component:
    return rx.fragment(heading("Réponse enregistrée"), _sentence(ABSENT), other_choice_in_mail())


def _still_coming() -> rx.Component:
    return rx.fragment(_sentence("Vous venez. À bientôt\u00a0!"), _summary(), _calendars())


def _sentence(text: str) -> rx.Component:
    return rx.el.p(text, class_name="answer-said")


def _summary() -> rx.Component:
    count = _view.guest_count
    guests = rx.el.li(count, rx.cond(count == 1, " invité", " invités"))
    lunch = rx.el.li(rx.cond(_view.with_lunch, "Avec déjeuner", "Sans déjeuner"))
    return rx.el.ul(
        rx.el.li(_view.member_name),
        rx.cond(_view.event.has_lunch & ~_view.with_lunch.is_none(), lunch, rx.fragment()),
        rx.cond((count > 0) & (_view.guest_names.length() == 0), guests, rx.fragment()),
        rx.foreach(_view.guest_names, rx.el.li),
        class_name="answer-summary",
    )


def _calendars() -> rx.Component:
    links = _view.calendar_links
    return rx.fragment(
        rx.foreach(links[:1], lambda link: _calendar(link, "button button-primary answer-go")),
        rx.el.div(
            rx.el.p("ou dans un autre agenda\u00a0:", class_name="answer-note"),
            rx.foreach(links[1:], lambda link: _calendar(link, "answer-calendar")),
            external_link("Apple (.ics)", VISIT.address + "/calendar.ics" + _query, class_name="answer-calendar"),
            class_name="answer-calendars",
        ),
    )


def _calendar(link: Any, class_name: str) -> rx.Component:
    named = rx.fragment(link.label, visually_hidden(" (nouvel onglet)"))
    return external_link(named, link.href, target="_blank", class_name=class_name)
