"""What only the administration has, standing still: bars that float elsewhere have a place of their own here."""

from typing import Any

import reflex as rx

from clubapp.pages.public.kit.example import example
from clubapp.services.attendance.presence import Dot, Mark, MarkCount, Presence
from clubapp.services.events.answer_shares import share_answers
from clubapp.services.events.stages import COMING, CURRENT, DONE, LEFT_OUT, Stage, Step
from clubapp.ui import close_button
from clubapp.ui.kit.icon import Icon, icon
from clubapp.ui.react.overlays.action_menu import action_menu
from clubapp.ui.records.answer_bar import answer_bar
from clubapp.ui.records.date_block import date_block
from clubapp.ui.records.presence_dots import presence_lists
from clubapp.ui.records.stage_cells import stage_cells
from clubapp.ui.records.table import completeness_ring

_TRACKS = (
    ("En chemin", (DONE, DONE, CURRENT, COMING, COMING), ("le 9 nov.", "60, le 16 nov.", "la dernière demain à 09:00",
     "le 10 déc., dès 12:00", "à venir")),
    ("Annulée", (DONE, LEFT_OUT, LEFT_OUT, LEFT_OUT, LEFT_OUT), ("le 9 nov.", "aucun envoi", "aucune", "n’a pas lieu",
     "sans objet")),
)  # fmt: skip
_MONTHS = ("nov. 25", "déc.", "janv. 26", "févr.", "mars", "avr.", "mai", "juin", "sept.", "oct.", "nov.", "déc.")
_MARKS = (*Mark, *Mark, *Mark)
_ACTS: tuple[tuple[Icon, str], ...] = (
    ("mail", "Écrire"),
    ("image", "Demander leur photo"),
    ("building", "Domaine"),
    ("pause", "Rendre inactifs"),
    ("download", "Exporter"),
)
_SHORTCUTS: tuple[tuple[Icon, str, str], ...] = (
    ("sun", "Aujourd’hui", "5"),
    ("calendar", "Rencontre", ""),
    ("phone", "Appels", "17"),
    ("people", "Membres", ""),
)
_HERE = "#raccourcis"


def cockpit() -> tuple[tuple[str, str, rx.Component], ...]:
    """The parts of the page: anchor, name and content."""
    return (
        ("etapes", "Étapes d’une rencontre", _tracks()),
        ("reponses", "Barre des réponses", _answers()),
        ("presences", "Présences", _dots()),
        ("dates", "Dates", _dates()),
        ("filtres", "Filtres", _chips()),
        ("choix", "Barre de choix", _selection()),
        ("menu", "Menu d’actes", _menu()),
        ("avis", "Avis", _toasts()),
        ("raccourcis", "Barre du téléphone", _bottom_bar()),
        ("completude", "Fiche complète ou non", _rings()),
    )


def _tracks() -> rx.Component:
    return rx.el.div(
        *[example(name, _track(states, details)) for name, states, details in _TRACKS], class_name="meeting"
    )


def _track(states: tuple[str, ...], details: tuple[str, ...]) -> rx.Component:
    parts = zip(Step, states, details, strict=True)
    stages = [Stage(step.value, step.label, state, detail) for step, state, detail in parts]
    return rx.el.div(stage_cells(rx.Var.create(stages)), class_name="card stage-track")


def _answers() -> rx.Component:
    cases = (("Quatre réponses", (32, 9, 2, 17)), ("Sans liste d’attente", (32, 9, 0, 17)), ("Aucune", (0, 0, 0, 60)))
    return rx.fragment(*[example(name, _bar(*counts)) for name, counts in cases])


def _bar(*counts: int) -> rx.Component:
    shares = share_answers(*counts)
    legend = [
        rx.el.li(
            rx.el.span(data_answer=share.kind, aria_hidden="true", class_name="answer-share"),
            rx.el.strong(share.count),
            rx.el.span(share.label),
        )
        for share in shares
    ]
    return rx.fragment(answer_bar(rx.Var.create(list(shares))), rx.el.ul(*legend, class_name="answer-legend"))


def _dots() -> rx.Component:
    dots = tuple(Dot(mark, month, f"{month}\u00a0: {mark.label}") for mark, month in zip(_MARKS, _MONTHS, strict=True))
    legend = tuple(MarkCount(mark, mark.label, _MARKS.count(mark)) for mark in Mark)
    known: Any = rx.Var.create(Presence(dots, legend, ("Saison 2025-2026\u00a0: 3 sur 12",)))
    return rx.el.div(*presence_lists(known), class_name="reading-presence")


def _dates() -> rx.Component:
    return rx.fragment(
        example(
            "De cette année, d’une autre",
            _row(date_block("décembre", "10", "jeudi"), date_block("mai 2022", "12", "jeudi")),
        ),
        example("Dans une liste", _row(date_block("déc.", "10"), date_block("févr.", "1er"))),
    )


def _chips() -> rx.Component:
    chips = [
        _chip("Actifs", "60", aria_current="true"),
        _chip("Inactifs", "4"),
        _chip("Sans réponse", "17", data_state="focus"),
    ]
    return example("Choisi, au repos, au clavier", rx.el.div(*chips, class_name="record-chips"))


def _chip(label: str, count: str, **props: Any) -> rx.Component:
    return rx.el.a(label, " ", rx.el.span(count, class_name="chip-count"), href="#filtres", class_name="chip", **props)


def _selection() -> rx.Component:
    acts = [rx.el.button(icon(drawing), label, type="button", class_name="selection-act") for drawing, label in _ACTS]
    return rx.el.div(
        rx.el.p("3 membres choisis", class_name="selection-count"),
        rx.el.div(*acts, class_name="selection-acts"),
        rx.el.button(icon("cross"), type="button", aria_label="Ne plus rien choisir", class_name="selection-act"),
        class_name="selection-bar",
    )


def _menu() -> rx.Component:
    return rx.fragment(
        example("Fermé", action_menu("Autres actions", *_menu_acts())),
        example("Ouvert", rx.el.div(*_menu_acts(), class_name="action-menu")),
    )


def _menu_acts() -> list[rx.Component]:
    plain: tuple[tuple[Icon, str], ...] = (
        ("people", "Ouvrir sa page"),
        ("mail", "Lui écrire"),
        ("pause", "Rendre inactif"),
    )
    last = "action-menu-item action-menu-danger"
    return [
        *[rx.el.button(icon(drawing), text, type="button", class_name="action-menu-item") for drawing, text in plain],
        rx.el.button(icon("bin"), "Supprimer la fiche…", type="button", class_name=last),
    ]


def _toasts() -> rx.Component:
    return rx.fragment(
        _toast("success", "", "Le brouillon a été enregistré."),
        _toast("error", "Erreur lors de la sauvegarde", "Vérifiez votre connexion, puis réessayez."),
    )


def _toast(tone: str, title: str, text: str) -> rx.Component:
    words = [rx.el.p(title, class_name="toast-title")] if title else []
    body = rx.el.div(*words, rx.el.p(text, class_name="toast-text"), class_name="toast-body")
    return rx.el.div(body, close_button("Fermer le message"), class_name=f"toast toast-{tone}")


def _bottom_bar() -> rx.Component:
    links = [
        rx.el.a(
            rx.el.span(icon(drawing, 24), _count(count), class_name="shortcut-icon"),
            rx.el.span(text),
            href=_HERE,
            aria_current="page" if drawing == "sun" else rx.Var("undefined"),
            class_name="shortcut",
        )
        for drawing, text, count in _SHORTCUTS
    ]
    return rx.el.nav(*links, aria_label="Raccourcis", class_name="shortcuts")


def _count(count: str) -> rx.Component:
    return rx.el.span(count, class_name="shortcut-count") if count else rx.fragment()


def _rings() -> rx.Component:
    lacking = ((1, "photo, texte, téléphone"), (2, "photo, téléphone"), (3, "photo"), (4, ""))
    rings = [
        rx.el.span(completeness_ring(parts, 4), missing, class_name="record-missing") for parts, missing in lacking
    ]
    return _row(*rings)


def _row(*shown: rx.Component) -> rx.Component:
    return rx.el.div(*shown, class_name="kit-row")
