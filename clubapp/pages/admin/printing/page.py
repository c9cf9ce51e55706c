"""/admin/events/{id}/imprimer: everything of the day on paper, and the badges as the labels at hand want them."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.printing.state import PrintingState
from clubapp.services.attendance.badges import FORMATS, ORDERS, PARAMETERS, LabelFormat
from clubapp.ui import external_link, field, form_row, link_button, panel, select
from clubapp.ui.access.download_link import download_link
from clubapp.ui.frame.event_screen import event_placeholder, event_screen
from clubapp.ui.kit.text import show_if
from clubapp.web.screens.page import Page

TITLE = "Imprimer"
_papers: Any = PrintingState.printouts
_options: Any = PrintingState.options
_event_id: Any = _papers.event_id


def content() -> rx.Component:
    """The screen."""
    return event_screen(PrintingState, _papers, _all(), title=TITLE, on_arrive=PrintingState.load)


def first_paint() -> rx.Component:
    """The placeholder."""
    return event_placeholder(TITLE)


def _all() -> rx.Component:
    return rx.el.div(
        _paper(
            "Feuille d’émargement",
            "Ceux qui viennent, avec leurs invités, et des lignes pour ceux qui viennent sans s’être annoncés.",
            _file("Feuille d’émargement (PDF)", routes.attendance_sheet(_event_id)),
        ),
        _badges(),
        show_if(_papers.has_lunch, _tables()),
        _paper(
            "Arrivées",
            "Qui est attendu et qui est arrivé, à l’heure où vous l’imprimez.",
            _file("Arrivées (PDF)", routes.arrivals_file(_event_id, "pdf")),
            external_link("Accueil", routes.arrivals(_event_id), class_name="button button-quiet"),
        ),
        _paper(
            "Nombres",
            "Présents, invités, repas et souhaits à l’heure où vous l’imprimez, sans les noms : pour qui cuisine.",
            _file("Nombres (PDF)", routes.numbers_sheet(_event_id)),
        ),
        _paper(
            "Liste d’appels",
            "Qui appeler avant la rencontre\u00a0; elle s’imprime depuis son écran.",
            link_button("Liste d’appels", routes.calling_list(_event_id), variant="secondary"),
        ),
        class_name="papers",
    )


def _tables() -> rx.Component:
    return _paper(
        "Tables",
        "La liste des personnes avec leur table, à afficher à l’entrée, et une carte à plier pour chaque table.",
        _file("Liste par nom (PDF)", routes.table_names(_event_id)),
        _file("Cartes de table (PDF)", routes.table_cards(_event_id)),
        link_button("Composer les tables", routes.event_tables(_event_id), variant="quiet"),
    )


def _badges() -> rx.Component:
    values = (_options.kind, _options.order, _options.first, _options.since)
    chosen = [rx.Var.create(f"{name}={value}") for name, value in zip(PARAMETERS, values, strict=True)]
    address: Any = f"{routes.badges(_event_id)}?{chosen[0]}&{chosen[1]}&{chosen[2]}&{chosen[3]}"
    return _paper(
        "Badges",
        "Sur planches d’étiquettes A4. Imprimez à 100\u00a0%, sans mise à l’échelle.",
        _file("Badges (PDF)", address),
        options=_badge_options(),
    )


def _first(labels: LabelFormat) -> rx.Component:
    return select(
        "Première étiquette libre",
        "first",
        [(str(number), str(number)) for number in range(1, labels.count + 1)],
        hint="Sur une planche déjà entamée, de gauche à droite et de haut en bas.",
        value=_options.first,
        on_change=PrintingState.choose_first,
    )


def _badge_options() -> rx.Component:
    kinds = [(kind, labels.label) for kind, labels in FORMATS.items()]
    return rx.el.div(
        form_row(
            select(
                "Étiquettes",
                "kind",
                kinds,
                hint="Formats courants, L7165 et L7173 par exemple.",
                value=_options.kind,
                on_change=PrintingState.choose_kind,
            ),
            select("Ordre", "order", list(ORDERS), value=_options.order, on_change=PrintingState.choose_order),
        ),
        form_row(
            rx.fragment(*(show_if(_options.kind == kind, _first(labels)) for kind, labels in FORMATS.items())),
            field(
                "Réponses depuis le",
                "since",
                type="date",
                hint="Pour n’imprimer que les retardataires. Vide\u00a0: tout le monde.",
                value=_options.since,
                on_change=PrintingState.choose_since,
            ),
        ),
        rx.el.p(_papers.badges, role="status", class_name="papers-count"),
        class_name="papers-options",
    )


def _paper(title: str, text: str, *links: rx.Component, options: rx.Component | None = None) -> rx.Component:
    return panel(
        title,
        rx.el.p(text, class_name="muted"),
        options if options is not None else rx.fragment(),
        rx.el.div(*links, class_name="papers-links"),
        class_name="paper",
    )


def _file(text: str, href: Any) -> rx.Component:
    return download_link(text, href, class_name="button button-secondary")


PAGES = [
    Page(
        route=routes.ADMIN_PRINTING,
        title=TITLE,
        content=content,
        on_load=[PrintingState.load],
        first_paint=first_paint,
    )
]
