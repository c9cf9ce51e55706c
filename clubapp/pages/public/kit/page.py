"""/kit: each component in each state, in a demonstration only (docs/design.md)."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.public.kit.cockpit_part import cockpit
from clubapp.pages.public.kit.colours_part import colours
from clubapp.pages.public.kit.example import example
from clubapp.pages.public.kit.state import KitState
from clubapp.services.mailings.event_templates import LABELS
from clubapp.ui import (
    badge,
    banner,
    button,
    card,
    cell,
    checkbox,
    close_button,
    confirm_dialog,
    data_table,
    dialog,
    empty_state,
    error_state,
    field,
    form_actions,
    form_row,
    link_button,
    panel,
    progress_bar,
    required_note,
    select,
    skeleton_cards,
    skeleton_lines,
    spinner,
    stat_tile,
    stat_tiles,
    status_badge,
    table_row,
    tabs,
    text_area,
)
from clubapp.ui.frame.layouts import bare_layout
from clubapp.ui.frame.titles import page_title
from clubapp.ui.kit.button import Variant
from clubapp.ui.kit.icon import icon
from clubapp.ui.kit.loading import UNREAD
from clubapp.ui.mail.text_area import mail_text_area
from clubapp.web.screens.page import Page

TITLE = "Composants"
LONG = "Transports Houblon, Delemazure-Vandenbussche et fils, établissements de Villeneuve-d’Ascq et de Valenciennes"
_VARIANTS: tuple[tuple[Variant, str], ...] = (
    ("primary", "Enregistrer"),
    ("secondary", "Annuler"),
    ("quiet", "Modifier"),
    ("danger", "Supprimer"),
)
_WORDS = ("draft", "Brouillon"), ("confirmed", "Confirmé"), ("completed", "Terminé"), ("cancelled", "Annulé")


def content() -> rx.Component:
    """The page."""
    parts = (
        ("couleurs", "Couleurs", colours()),
        ("boutons", "Boutons", _buttons()),
        ("champs", "Champs", _fields()),
        ("editeur", "Texte d’un e-mail", _editor()),
        ("etiquettes", "Étiquettes", _badges()),
        ("messages", "Messages", _messages()),
        ("surfaces", "Surfaces", _surfaces()),
        ("tableaux", "Tableaux", _tables()),
        ("attente", "Attente", _waiting()),
        ("onglets", "Onglets", _tabs()),
        ("dialogues", "Dialogues", _dialogs()),
        *cockpit(),
    )
    index = rx.el.nav(
        rx.el.ul(*[rx.el.li(rx.el.a(name, href=f"#{anchor}")) for anchor, name, _ in parts]),
        aria_label="Composants",
        class_name="kit-index",
    )
    sections = [
        rx.el.section(rx.el.h2(name, id=anchor), part, aria_labelledby=anchor, class_name="kit-part")
        for anchor, name, part in parts
    ]
    lead = "Chaque composant dans chacun de ses états. Cette page n’existe que dans une démonstration."
    return bare_layout(
        rx.el.div(
            rx.el.h1(TITLE, class_name="page-title"),
            rx.el.p(lead, class_name="kit-lead"),
            index,
            *sections,
            class_name="wrap page kit-page",
        )
    )


def _buttons() -> rx.Component:
    states: tuple[tuple[str, dict[str, Any]], ...] = (
        ("Au repos", {}),
        ("Sous le pointeur", {"data_state": "hover"}),
        ("Au clavier", {"data_state": "focus"}),
        ("Occupé", {"busy": True}),
        ("Impossible", {"disabled": True}),
    )
    rows = [
        example(
            name, rx.el.div(*[button(text, variant=kind, **props) for kind, text in _VARIANTS], class_name="kit-row")
        )
        for name, props in states
    ]
    links = rx.el.div(
        link_button("Voir les membres", routes.DIRECTORY, "secondary"), close_button("Fermer"), class_name="kit-row"
    )
    return rx.fragment(*rows, example("Texte long", button(f"Envoyer à {LONG}")), example("Lien, icône", links))


def _fields() -> rx.Component:
    wrong = "Indiquez une adresse complète, par exemple nom@entreprise.fr."
    return rx.el.form(
        required_note(),
        form_row(
            field("Nom", "kit_empty", required=True, placeholder="Marie Durand"),
            field("Nom", "kit_filled", id="kit-filled", default_value=LONG),
        ),
        form_row(
            field("Adresse", "kit_focus", data_state="focus", hint="Celle où vous lisez vos e-mails."),
            field("Adresse", "kit_wrong", type="email", default_value="marie@", error=wrong),
        ),
        form_row(
            field("Lecture seule", "kit_fixed", default_value="Contactez un admin pour modifier", read_only=True),
            field("Impossible", "kit_disabled", default_value="Pas maintenant", disabled=True),
        ),
        form_row(
            select("Domaine", "kit_choice", [("a", "Bâtiment & Travaux"), ("b", LONG)], placeholder="À choisir"),
            select("Domaine", "kit_choice_wrong", [("a", "Bâtiment & Travaux")], error="Choisissez un domaine."),
        ),
        text_area("Description", "kit_text", default_value=LONG, longest=120, hint="Compté près de la limite."),
        checkbox("Déjeuner prévu", "kit_box", hint="Compté pour le traiteur."),
        checkbox("Déjeuner prévu", "kit_ticked", default_checked=True),
        rx.el.input(type="checkbox", role="switch", class_name="switch", aria_label="Active", default_checked=True),
        checkbox("J’ai lu la notice", "kit_unread", error="Cochez la case pour continuer."),
        form_actions(button("Annuler", variant="secondary"), button("Enregistrer")),
        class_name="form kit-form",
    )


def _editor() -> rx.Component:
    return mail_text_area(
        "Contenu",
        "kit_mail",
        LABELS,
        rows=6,
        default_value="Bonjour {{PRENOM}},\n\nRendez-vous le {{EVENT_DATE}} pour «\u00a0{{EVENT_TITLE}}\u00a0».",
        hint="Le texte reste dans cette page.",
    )


def _badges() -> rx.Component:
    tones = [badge(f"Ton {tone}", tone) for tone in ("neutral", "amber", "green", "indigo", "red")]
    statuses = [status_badge(status, label) for status, label in _WORDS]
    return rx.fragment(
        example("Tons", rx.el.div(*tones, class_name="kit-row")),
        example("Statuts", rx.el.div(*statuses, class_name="kit-row")),
        example("Texte long", badge(LONG, "amber")),
        example("Icônes", rx.el.p(icon("phone"), " Téléphone ", icon("bin"), " Supprimer", class_name="kit-row")),
    )


def _messages() -> rx.Component:
    again = button("Réessayer", variant="secondary")
    return rx.fragment(
        banner("Les envois sont en pause.", "Trois erreurs de suite.", "amber", again, role="note"),
        banner("Tout est prêt.", tone="green", role="note"),
        banner("Bon à savoir.", "Les réponses arrivent ici d’elles-mêmes.", "indigo", role="note"),
        banner("Erreur lors de la sauvegarde", LONG, "red", role="note"),
        empty_state("Aucun événement à venir", "Créez le premier.", button("Nouvel événement")),
        error_state("Les e-mails n’ont pas pu être chargés", UNREAD, again),
    )


def _surfaces() -> rx.Component:
    tiles = (("Présents", 32), ("Absents", 9), ("Pas de réponse", 0), ("Total contactés", 6000))
    return rx.fragment(
        card(rx.el.p("Une carte."), rx.el.p(LONG)),
        panel("Un panneau", rx.el.p("Son contenu."), actions=[button("Exporter", variant="secondary")]),
        stat_tiles(*[stat_tile(figure, name, f"kit_{at}") for at, (name, figure) in enumerate(tiles)]),
    )


def _tables() -> rx.Component:
    people = (("Marie Durand", "Durand & fils", "Confirmé"), (LONG, LONG, "Brouillon"))
    rows = [
        table_row(
            cell(name, label="Nom"), cell(company, label="Entreprise"), cell(badge(status), label="Réponse"),
            cell(button("Modifier", variant="quiet")),
        )
        for name, company, status in people
    ]  # fmt: skip
    return data_table(["Nom", "Entreprise", "Réponse", ""], rows, "Des membres")


def _waiting() -> rx.Component:
    bars = [progress_bar(value, 100, f"Envoyés\u00a0: {value} sur 100") for value in (0, 50, 100)]
    return rx.fragment(spinner(), skeleton_lines(3), skeleton_cards(2), *bars)


def _tabs() -> rx.Component:
    names = ("Réponses", "Messages", "Jour J", "Bilan")
    return tabs([(name, name, rx.el.p(f"{name}\u00a0: rien encore.")) for name in names], label="Exemple")


def _dialogs() -> rx.Component:
    openers = (
        ("dialog", "Ouvrir un dialogue"),
        ("question", "Poser une question"),
        ("danger", "Demander avant"),
    )
    return rx.fragment(
        rx.el.div(
            *[button(text, variant="secondary", on_click=KitState.show(name)) for name, text in openers],
            class_name="kit-row",
        ),
        dialog(
            LONG,
            rx.el.p("Ce que l’on y lit ou remplit."),
            open=KitState.shown == "dialog",
            on_close=KitState.close,
            description="Une phrase qui dit à quoi il sert.",
        ),
        *[
            confirm_dialog(
                "Envoyer les invitations\u00a0?" if name == "question" else "Supprimer cet événement\u00a0?",
                "Soixante membres les recevront." if name == "question" else "Cette action est irréversible.",
                open=KitState.shown == name,
                on_confirm=KitState.close,
                on_cancel=KitState.close,
                confirm_label="Envoyer" if name == "question" else "Supprimer",
                danger=name == "danger",
            )
            for name in ("question", "danger")
        ],
    )


PAGES = [Page(route=routes.KIT, title=page_title(TITLE), content=content)]
