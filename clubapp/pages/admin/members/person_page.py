"""/admin/members/{id}: a member to read: how to reach them, what the public sees, what happened, notes."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.members.form_part import member_form
from clubapp.pages.admin.members.person_history_part import history_panel, meetings_panel
from clubapp.pages.admin.members.person_notes_part import note_question, notes_panel
from clubapp.pages.admin.members.person_state import MemberRecordState
from clubapp.pages.admin.members.state import MemberFormState, MembersState
from clubapp.ui import (
    badge,
    banner,
    button,
    is_in_address,
    link_button,
    page_link,
    skeleton_lines,
    takeover,
    visually_hidden,
    when_there,
)
from clubapp.ui.frame.layouts import admin_layout, screen_main
from clubapp.ui.kit.icon import icon
from clubapp.ui.kit.image import responsive_image
from clubapp.ui.kit.text import show_if
from clubapp.ui.react.lists.filter_memory import filtered_link
from clubapp.ui.react.overlays.action_menu import action_menu
from clubapp.ui.records.date_block import date_block
from clubapp.ui.records.reading import fact, reading_target, seen_list
from clubapp.web.screens.page import Page

TITLE = "Fiche d’un membre"
AWAITED = "En attente de son accord pour l’e-mail, le téléphone et la photo."
_page: Any = MemberRecordState.page
_meeting: Any = _page.meeting
_fault: Any = _page.mail_fault
_beside: Any = MembersState.neighbours
_place = rx.cond(_page.company != "", f"{_page.role}, {_page.company}", _page.role)
_is_there = is_in_address(_page.id)


def content() -> rx.Component:
    """The screen."""
    back = link_button("Retour aux membres", routes.ADMIN_MEMBERS)
    return admin_layout(
        takeover(True),
        when_there(MemberRecordState, _is_there, _person(), back),
        note_question(),
        title=rx.cond(_is_there, _page.name, TITLE),
        hint=rx.cond(_is_there & (_page.role != ""), _place, ""),
        back=rx.fragment(_back_link(), show_if(is_in_address(_beside.member_id), _neighbours())),
        actions=[rx.cond(_is_there, rx.fragment(_edit_link(), _rarer()), rx.fragment())],
        on_arrive=[MemberRecordState.begin],
    )


def first_paint() -> rx.Component:
    """The placeholder; the document takes the layout around it from another built screen."""
    return screen_main(skeleton_lines(8), title=TITLE, hint=rx.Var.create(""), back=_back_link())


def _back_link() -> rx.Component:
    return filtered_link("Retour aux membres", routes.ADMIN_MEMBERS)


def _neighbours() -> rx.Component:
    return rx.el.span(
        _beside.place,
        _step(_beside.previous_href, "Membre précédent", "reading-previous"),
        _step(_beside.next_href, "Membre suivant", "reading-next"),
        class_name="reading-place",
    )


def _step(href: Any, name: str, class_name: str) -> rx.Component:
    """A link to the page of a neighbour; at an end of the list its room stays, so that the other one does not move."""
    named = page_link(icon("chevron", 20), visually_hidden(name), to=href, class_name=class_name)
    return rx.cond(href != "", named, rx.el.span(class_name=class_name))


def _edit_link() -> rx.Component:
    """The form has an address of its own: the back button leaves it."""
    words = rx.fragment(icon("pencil", 18), "Modifier")
    return page_link(words, to=routes.edit_member(_page.id), class_name="button button-secondary")


def _rarer() -> rx.Component:
    return action_menu(
        "Autres actions",
        page_link("Noter une demande", to=routes.note_request(_page.id), class_name="action-menu-item"),
        page_link("Historique", to=routes.acts_of_member(_page.id), class_name="action-menu-item"),
        class_name="screen-menu",
    )


def _person() -> rx.Component:
    return rx.el.div(
        member_form(),
        rx.foreach(_page.requests, _request),
        show_if(_page.review != "", _review()),
        rx.el.div(
            rx.el.div(_contact(), _public(), class_name="reading-first"),
            rx.el.div(
                show_if(_meeting.event_id != "", _next_meeting()),
                meetings_panel(),
                rx.el.div(history_panel(), notes_panel(), class_name="reading-past"),
                class_name="reading-rest",
            ),
            class_name="reading-columns",
        ),
        class_name="reading",
    )


def _request(asked: Any) -> rx.Component:
    return banner(
        f"{asked.name} {asked.does}",
        f"Depuis le {asked.asked}. La loi laisse un mois\u00a0: jusqu’au {asked.deadline}.",
        "amber",
        link_button("Répondre", routes.ADMIN_REQUESTS, variant="secondary"),
    )


def _review() -> rx.Component:
    return banner(
        _page.review,
        "Une fiche ne se garde pas sans raison\u00a0: supprimez-la depuis la liste des membres, ou gardez-la.",
        "amber",
        button("Garder la fiche", variant="secondary", on_click=MemberRecordState.keep_record),
    )


def _contact() -> rx.Component:
    face = responsive_image(_page.picture, "", class_name="reading-face")
    status = rx.cond(_page.is_active, badge("Actif", "green"), badge("Inactif"))
    return rx.el.section(
        rx.el.div(face, status, class_name="reading-top"),
        rx.el.div(
            reading_target("phone", "Appeler", _page.phone, _page.phone_href, "Pas de téléphone"),
            reading_target(
                "mail", "Écrire à", _page.email, _page.email_href, "Pas d’adresse e-mail", parts=_page.email_parts
            ),
            show_if(
                _page.email_href != "",
                page_link(
                    "Écrire au nom du club", to=f"{routes.ADMIN_WRITE}?membres={_page.id}", class_name="reading-link"
                ),
            ),
            show_if(_fault.sentence != "", rx.el.p(icon("warning", 18), _mail_fault(), class_name="reading-fault")),
            class_name="reading-targets",
        ),
        rx.el.dl(
            fact("Entreprise", _company(), _page.company != ""),
            fact("Domaine", _page.domain, _page.domain != ""),
            fact("Métier", _page.trade.join(", "), _page.trade.length() > 0),
            fact("Fiche créée", f"le {_page.since}", True),
            class_name="reading-facts",
        ),
        aria_label="Coordonnées",
        class_name="card",
    )


def _mail_fault() -> rx.Component:
    correct = page_link(
        "Corriger", visually_hidden(" son adresse e-mail"), to=_fault.correct_href, class_name="reading-link"
    )
    return rx.el.span(_fault.sentence, show_if(_fault.correct_href != "", rx.fragment(" ", correct)))


def _company() -> rx.Component:
    named = page_link(_page.company, to=_page.company_href, class_name="reading-link")
    return rx.cond(_page.company_href != "", named, _page.company)


def _public() -> rx.Component:
    link = rx.cond(
        _page.public_href != "",
        page_link("Voir sa page", to=_page.public_href, class_name="reading-link"),
        rx.fragment(),
    )
    return rx.el.section(
        rx.el.div(rx.el.h2("Ce que voit le public", class_name="reading-title"), link, class_name="reading-head"),
        seen_list(_page.visible),
        show_if(_page.is_awaited, rx.el.p(AWAITED, class_name="reading-told")),
        show_if(_page.welcome != "", rx.el.p(_page.welcome, class_name="reading-told")),
        class_name="card",
    )


def _next_meeting() -> rx.Component:
    return rx.el.section(
        date_block(_meeting.month, _meeting.day),
        rx.el.div(
            rx.el.h2(
                page_link(_meeting.title, to=routes.admin_event(_meeting.event_id), class_name="reading-meeting-link"),
                class_name="reading-meeting-title",
            ),
            rx.el.p(_meeting.sentence, class_name="muted"),
            class_name="reading-meeting-words",
        ),
        show_if(_meeting.is_open, _answer()),
        aria_label="Prochaine rencontre",
        class_name="card reading-meeting",
    )


def _answer() -> rx.Component:
    """Two buttons that are never replaced, so that they keep the focus."""
    return rx.el.div(
        rx.el.span("Noter sa réponse", class_name="reading-answer-label"),
        _choice("oui", "Oui", True),
        _choice("non", "Non", False),
        role="group",
        aria_label="Noter sa réponse",
        class_name="reading-answer",
    )


def _choice(value: str, label: str, will_attend: bool) -> rx.Component:
    return rx.el.button(
        label,
        type="button",
        aria_pressed=rx.cond(_meeting.answer == value, "true", "false"),
        on_click=MemberRecordState.answer(will_attend),
        class_name="chip",
    )


PAGES = [
    Page(
        route=routes.ADMIN_MEMBER,
        title=TITLE,
        content=content,
        on_load=[MemberRecordState.load, MemberFormState.follow_address, MembersState.locate],
        first_paint=first_paint,
    )
]
