"""/admin/import: members or companies from a spreadsheet, previewed line by line before anything is saved."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.imports.state import ALL, ImportState
from clubapp.services.base.form_fields import DOMAIN_CHOICES, NOTHING
from clubapp.services.import_export.import_matching import ANOTHER, COMPANIES, MEMBERS, Namesake
from clubapp.services.import_export.import_run import CREATE, REFUSE, SAME, UPDATE, ImportLine, LineField
from clubapp.ui import (
    badge,
    banner,
    button,
    cell,
    confirm_dialog,
    data_table,
    hidden_field,
    panel,
    progress_bar,
    select,
    spinner,
    table_row,
    text_area,
)
from clubapp.ui import field as line_field
from clubapp.ui.access.download_link import download_link
from clubapp.ui.frame.layouts import admin_layout
from clubapp.ui.kit.links import page_link
from clubapp.ui.kit.text import show_if, visually_hidden
from clubapp.ui.react.forms.entries_form import entries_form
from clubapp.ui.react.forms.file_drop import file_drop
from clubapp.ui.records.rows import missing_badge
from clubapp.web.screens.page import Page

_plan = ImportState.plan
_changes: Any = _plan.creates + _plan.updates
_NO_COMPETITION = (
    " Un import ne pose aucune question de concurrence\u00a0: elle est posée quand une fiche est modifiée à l’écran."
)
_PAUSE_MS = 400  # in typing, after which it is kept
_CORRECT = "Corrigez-les ci-dessous ou laissez-les de côté."
_FILTERS = (
    *((ALL, "Toutes"), (CREATE, "À créer"), (UPDATE, "À mettre à jour")),
    *((SAME, "Inchangées"), (REFUSE, "Refusées")),
)


@dataclass(frozen=True)
class _Subject:
    """What one of the two screens is about."""

    kind: str
    title: str
    import_path: str
    list_path: str
    export_path: str


_SUBJECTS = (
    _Subject(
        MEMBERS, "Importer des membres", routes.IMPORT_MEMBERS, routes.ADMIN_MEMBERS, routes.members_export("xlsx")
    ),
    _Subject(
        COMPANIES,
        "Importer des entreprises",
        routes.IMPORT_COMPANIES,
        routes.ADMIN_COMPANIES,
        routes.companies_export("xlsx"),
    ),
)


def content(subject: _Subject) -> rx.Component:
    """The screen."""
    return admin_layout(
        rx.el.div(
            _choice(subject),
            rx.cond(
                ImportState.refusal != "",
                rx.el.div(banner("Import impossible", ImportState.refusal, tone="red"), role="alert"),
                rx.fragment(),
            ),
            rx.cond(ImportState.is_reading, spinner("Lecture des lignes…"), rx.fragment()),
            rx.cond(_plan.id != "", _preview(), rx.fragment()),
            class_name="records-screen",
        ),
        title=subject.title,
        hint="Rien n’est enregistré avant votre confirmation. Une ligne refusée attend ici d’être corrigée.",
        actions=[page_link("Retour à la liste", to=subject.list_path, class_name="button button-secondary")],
        on_arrive=ImportState.begin,
    )


def _choice(subject: _Subject) -> rx.Component:
    return panel(
        "Le fichier",
        rx.el.p(
            "La première ligne porte les titres des colonnes, les suivantes une fiche chacune. Une fiche est reconnue "
            "à son adresse e-mail, sinon à son nom. Une cellule vide ne change rien. Seul le nom est nécessaire\u00a0: "
            "une fiche à laquelle il manque autre chose est «\u00a0à compléter\u00a0».",
            _NO_COMPETITION if subject.kind == MEMBERS else "",
        ),
        rx.el.p(
            "Pour partir d’un modèle, ",
            download_link("téléchargez la liste actuelle", subject.export_path),
            " et complétez-la.",
        ),
        rx.cond(
            ImportState.is_corrected,
            rx.el.p(
                "L’import ci-dessous vous attend\u00a0: finissez-le, ou abandonnez-le pour choisir un autre fichier."
            ),
            file_drop(
                address=f"{routes.IMPORTS}/{subject.kind}",
                label="Choisir un fichier",
                hint="CSV ou XLSX, 5 Mo et 5\u00a0000 lignes au maximum. Vous pouvez aussi le déposer ici.",
                on_received=ImportState.look,
                on_refused=ImportState.refuse,
            ),
        ),
    )


def _preview() -> rx.Component:
    return panel(
        "Ce que l’import fera",
        _summary(),
        _question(),
        rx.cond(ImportState.is_busy, _progress(), rx.fragment()),
        _answers(),
        _filters(),
        rx.cond(
            ImportState.shown,
            data_table(
                ["Ligne", "Fiche", "Résultat", "Détail"], rx.foreach(ImportState.shown, _line), "Lignes du fichier"
            ),
            rx.el.p("Aucune ligne du fichier n’est dans ce cas.", class_name="field-hint"),
        ),
        rx.cond(
            ImportState.hidden > 0,
            rx.el.p("Et ", ImportState.hidden, " autres lignes.", class_name="field-hint"),
            rx.fragment(),
        ),
    )


def _summary() -> rx.Component:
    """How many lines do what, which headings are ignored, which companies are made, and what stands in the way."""
    return rx.fragment(
        rx.el.p(
            _plan.creates,
            " à créer, ",
            _plan.updates,
            " à mettre à jour, ",
            _plan.same,
            " sans changement, ",
            _plan.refused,
            rx.cond(_plan.refused > 1, " refusées.", " refusée."),
            role="status",
            class_name="import-counts",
        ),
        show_if(
            _plan.renamed != "",
            rx.el.p("Lues sous un autre nom\u00a0: ", _plan.renamed, ".", class_name="field-hint import-ignored"),
        ),
        show_if(
            _plan.ignored != "",
            rx.el.p("Colonnes ignorées\u00a0: ", _plan.ignored, class_name="field-hint import-ignored"),
        ),
        show_if(
            _plan.new_companies != "",
            rx.el.p(
                "Entreprises créées avec leurs membres\u00a0: ", _plan.new_companies, class_name="import-companies"
            ),
        ),
        show_if(_plan.welcome_text != "", rx.el.p(_plan.welcome_text, class_name="import-welcome")),
        show_if(
            _plan.refused > 0,
            banner(
                "Des lignes sont à corriger",
                rx.cond(_changes > 0, f"{_CORRECT} Les autres peuvent être importées sans les attendre.", _CORRECT),
            ),
        ),
    )


def _filters() -> rx.Component:
    return rx.el.div(
        *[
            rx.el.button(
                label,
                type="button",
                on_click=ImportState.show(value),
                aria_pressed=rx.cond(ImportState.outcome == value, "true", "false"),
                class_name="chip",
            )
            for value, label in _FILTERS
        ],
        role="group",
        aria_label="Lignes montrées",
        class_name="chips",
    )


def _line(line: ImportLine) -> rx.Component:
    fields: Any = line.fields
    tone: Any = rx.match(line.outcome, ("create", "green"), ("update", "indigo"), (REFUSE, "red"), "neutral")
    return table_row(
        cell(line.number, label="Ligne"),
        cell(line.name, label="Fiche"),
        cell(badge(line.outcome_label, tone), label="Résultat"),
        cell(
            rx.el.div(
                rx.cond(line.details != "", rx.el.p(line.details), rx.fragment()),
                missing_badge(line.incomplete),
                _namesakes(line),
                show_if(fields.length() > 0, _correction(line)),
                class_name="import-details",
            ),
            label="Détail",
        ),
        key=line.number,
    )


def _namesakes(line: ImportLine) -> rx.Component:
    """The existing records of the name, and the choice between them and somebody else."""
    namesakes: Any = line.namesakes
    last = namesakes.length() - 1
    rows = rx.foreach(namesakes, lambda each, index: _namesake(each, line, line.may_be_another & (index == last)))
    return rx.cond(namesakes.length() > 0, rx.el.ul(rows, class_name="import-namesakes"), rx.fragment())


def _namesake(namesake: Namesake, line: ImportLine, offers_another: Any) -> rx.Component:
    same = button(
        "Même personne",
        visually_hidden(f" à la ligne {line.number}\u00a0: {namesake.text}"),
        variant="secondary",
        on_click=ImportState.choose(line.number, namesake.id),
    )
    another = button(
        "Autre personne",
        visually_hidden(f" à la ligne {line.number}"),
        variant="secondary",
        on_click=ImportState.choose(line.number, ANOTHER),
    )
    return rx.el.li(
        rx.el.p(rx.cond(namesake.is_record, "Cette fiche\u00a0: ", "Du même nom\u00a0: "), namesake.text),
        rx.el.div(
            rx.cond(namesake.is_record, rx.fragment(), same),
            rx.cond(offers_another, another, rx.fragment()),
            class_name="import-correction-actions",
        ),
        key=namesake.id,
    )


def _correction(line: ImportLine) -> rx.Component:
    """The wrong cells of a line, to be corrected, and the way to leave it out."""
    fields: Any = line.fields
    return entries_form(
        hidden_field("line", line.number),
        rx.foreach(fields, lambda field: _field(field, line.number)),
        rx.el.div(
            button("Corriger", visually_hidden(f" la ligne {line.number}"), type="submit", variant="secondary"),
            button(
                "Ne pas importer",
                visually_hidden(f" la ligne {line.number}"),
                variant="quiet",
                on_click=ImportState.leave_out(line.number),
            ),
            class_name="import-correction-actions",
        ),
        on_entries=ImportState.correct,
        class_name="import-correction",
    )


def _field(field: LineField, number: Any) -> rx.Component | rx.Var:
    def keep(text: Any) -> Any:
        return ImportState.keep(_plan.id, number, field.name, text)

    known: Any = {"id": f"{field.name}-{number}", "default_value": field.value}
    # Leaving a field keeps it at once: the pause of the next one would take the place of its own.
    props = known | {"on_change": lambda text: keep(text).debounce(_PAUSE_MS), "on_blur": keep}
    label: Any = field.label
    domain = select(
        label, "activity_domain", list(DOMAIN_CHOICES), **known | {"default_value": NOTHING, "on_change": keep}
    )
    return rx.match(
        field.name,
        ("activity_domain", domain),
        ("description", text_area(label, "description", 4, **props)),
        line_field(label, field.name, auto_complete="off", **props),
    )


def _progress() -> rx.Component:
    return rx.el.div(
        progress_bar(ImportState.done, _plan.creates + _plan.updates, "Import en cours"),
        rx.el.p(ImportState.done, " sur ", _plan.creates + _plan.updates, role="status"),
        class_name="import-progress",
    )


def _question() -> rx.Component:
    """The question before corrections are lost."""
    return confirm_dialog(
        "Abandonner cet import\u00a0?",
        "Les lignes qui restent et vos corrections seront oubliées. Les fiches déjà importées restent.",
        open=ImportState.is_leaving,
        on_confirm=ImportState.discard,
        on_cancel=ImportState.stay,
        confirm_label="Abandonner l’import",
        danger=True,
    )


def _answers() -> rx.Component:
    return rx.el.div(
        button("Abandonner", variant="secondary", on_click=ImportState.give_up, disabled=ImportState.is_busy),
        button(
            rx.match(_changes, (0, "Rien à importer"), (1, "Importer 1 fiche"), f"Importer {_changes} fiches"),
            on_click=ImportState.confirm,
            busy=ImportState.is_busy,
            busy_label="Import en cours…",
            disabled=_changes == 0,
        ),
        class_name="form-actions",
    )


PAGES = [
    Page(route=subject.import_path, title=subject.title, content=partial(content, subject)) for subject in _SUBJECTS
]
