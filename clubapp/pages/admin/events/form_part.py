"""The event form in its dialog."""

from typing import Any

import reflex as rx

from clubapp.pages.admin.events.detail_state import EventDetailState
from clubapp.pages.admin.events.form_state import EventFormState, SpeakersState
from clubapp.pages.admin.events.form_values import SpeakerRow
from clubapp.pages.admin.events.question_part import notice_choice, notice_readers
from clubapp.services.events.form import LONGEST_BIO, LUNCH_STARTS, MAX_SPEAKERS, STATUSES
from clubapp.ui import (
    button,
    checkbox,
    dialog,
    failure_banner,
    field,
    form_actions,
    form_row,
    hidden_field,
    required_note,
    select,
    text_area,
)
from clubapp.ui.kit.text import show_if
from clubapp.ui.react.forms.draft_form import draft_form
from clubapp.ui.react.forms.field_watch import field_watch
from clubapp.ui.react.forms.hour_tick import hour_tick
from clubapp.ui.react.forms.sortable_rows import sortable_rows

WORDS_COPIED = "Cette copie reprend aussi les textes de l’invitation et des relances."
NO_END = "Facultative\u00a0: sans elle, l’événement dure trois heures."
TOLD_BEFORE = (
    "Ils reçoivent les nombres quelques jours avant la rencontre\u00a0: le traiteur sans les noms, l’hôte avec. "
    "«\u00a0Envoyer les nombres\u00a0», dans l’événement, les envoie avant."
)
_CATERER = "caterer_email"
NO_DEADLINE = "Sans date, on peut répondre jusqu’au début de l’événement."


def form_dialog() -> rx.Component:
    """The form, for a new event or an existing one."""
    form = EventFormState.form
    return dialog(
        rx.cond(
            form.id != "",
            rx.cond(EventFormState.focus == "date", "Reporter l’événement", "Modifier l’événement"),
            "Nouvel événement",
        ),
        draft_form(
            hidden_field("id", form.id),
            hidden_field("seen", form.seen),
            hidden_field("copy_of", form.copy_of),
            show_if(form.copy_of != "", rx.el.p(WORDS_COPIED, class_name="banner banner-indigo")),
            required_note(),
            _main_fields(),
            _speakers(),
            _day(),
            rx.el.div(
                failure_banner(EventFormState.failure),
                notice_choice(),
                _buttons(),
                class_name="dialog-foot event-form-end",
            ),
            name=rx.cond(form.id != "", f"event:{form.id}", "event:new"),
            on_submit=EventFormState.submit,
            on_restore=EventFormState.restore,
            busy=EventFormState.is_saving,
            attempt=EventFormState.attempt,
            saved=EventFormState.saved,
            class_name="event-form",
        ),
        open=EventFormState.is_open,
        on_close=EventFormState.close,
        wide=True,
        data_event_id=rx.cond(EventFormState.is_open & (form.id != ""), form.id, None),
    )


def _main_fields() -> rx.Component:
    form, errors = EventFormState.form, EventFormState.errors
    return rx.el.div(
        field(
            "Titre",
            "title",
            required=True,
            default_value=form.title,
            error=errors.title,
            data_autofocus=_focus(""),
        ),
        _when(form, errors),
        notice_readers(),
        form_row(
            field("Lieu", "location", required=True, default_value=form.location, error=errors.location),
            field(
                "Nombre maximum de participants",
                "max_participants",
                type="number",
                min="1",
                step="1",
                input_mode="numeric",
                placeholder="Illimité",
                default_value=form.max_participants,
                error=errors.max_participants,
                data_autofocus=_focus("max_participants"),
            ),
        ),
        field("Adresse complète", "address", default_value=form.address, error=errors.address),
        text_area("Description", "description", rows=4, default_value=form.description, error=errors.description),
        form_row(
            _lunch(form),
            _moment("Répondre avant le", "answers_until", form.answers_until, errors.answers_until, hint=NO_DEADLINE),
        ),
        class_name="event-form-main",
    )


def _when(form: Any, errors: Any) -> rx.Component:
    return form_row(
        rx.el.div(
            _moment(
                "Date et heure",
                "date",
                form.date,
                errors.date,
                required=True,
                data_autofocus=_focus("date"),
            ),
            field_watch(names=["id", "date", "status"], on_fields=EventFormState.look),
            rx.el.div(_month_conflict(), role="status"),
            class_name="event-date-field",
        ),
        field("Heure de fin", "ends_at", type="time", default_value=form.ends_at, error=errors.ends_at, hint=NO_END),
        select("Statut", "status", list(STATUSES), required=True, default_value=form.status, error=errors.status),
    )


def _lunch(form: Any) -> rx.Component:
    """Proposed by the hour of a new event."""
    first, last = LUNCH_STARTS
    is_new = (form.id == "") & (form.copy_of == "")
    return rx.fragment(
        checkbox("Un déjeuner est proposé", "has_lunch", default_checked=form.has_lunch),
        hour_tick(source="date", target="has_lunch", first=first, last=last, active=is_new),
    )


def _month_conflict() -> rx.Component:
    """The event that holds the month; the draft is kept while it is looked at."""
    conflict = EventFormState.conflict
    see = button(
        f"Voir «\u00a0{conflict.title}\u00a0»",
        variant="quiet",
        data_leaves_form="true",
        on_click=[EventFormState.close, EventDetailState.show(conflict.event_id)],
    )
    notice = rx.el.div(rx.el.p(conflict.text), see, class_name="banner banner-amber month-conflict")
    return rx.cond(conflict.text != "", notice, rx.fragment())


def _moment(label: str, name: str, value: Any, error: Any, **more: Any) -> rx.Component:
    """A local time of the club; `max` limits the year typed by keyboard to four digits."""
    return field(label, name, type="datetime-local", max="9999-12-31T23:59", default_value=value, error=error, **more)


def _speakers() -> rx.Component:
    rows = SpeakersState.rows
    return sortable_rows(
        rx.el.fieldset(
            rx.el.legend("Intervenants"),
            rx.el.p(
                "Choisissez un membre dans la liste du nom, ou saisissez une autre personne. "
                "Alt + flèche haut ou bas déplace un intervenant.",
                class_name="field-hint",
            ),
            rx.el.div(rx.foreach(rows, _speaker), class_name="speaker-rows"),
            rx.cond(
                _count() < MAX_SPEAKERS,
                button("Ajouter un intervenant", variant="secondary", on_click=SpeakersState.add, data_add="true"),
                rx.fragment(),
            ),
            class_name="speakers",
        ),
        rows=rows,
        people=SpeakersState.people,
        noun="Intervenant",
        name_field="speaker_name",
        other_fields={"speaker_company": "company", "speaker_role": "role"},
    )


def _focus(name: str) -> rx.Var:
    return rx.cond(EventFormState.focus == name, "true", None)


def _day() -> rx.Component:
    """Who is told the numbers: folded, since an event needs none of it."""
    form, errors = EventFormState.form, EventFormState.errors
    hint = "Une entreprise du club ou une autre."
    fields = rx.el.div(
        field("Entreprise hôte", "host", default_value=form.host, error=errors.host, list="event-hosts", hint=hint),
        rx.el.datalist(rx.foreach(SpeakersState.companies, _company), id="event-hosts"),
        form_row(
            _address("E-mail de l’hôte", "host_email", form.host_email, errors.host_email),
            _address(
                "E-mail du traiteur",
                _CATERER,
                form.caterer_email,
                errors.caterer_email,
                data_autofocus=_focus(_CATERER),
            ),
        ),
        rx.el.p(TOLD_BEFORE, class_name="field-hint"),
        class_name="event-day-fields",
    )
    known, refused = form.host + form.host_email + form.caterer_email, errors.host + errors.host_email
    return rx.el.details(
        rx.el.summary("Hôte et traiteur"),
        fields,
        open=(known != "") | (refused + errors.caterer_email != "") | (EventFormState.focus == _CATERER),
        class_name="event-day",
    )


def _company(name: Any) -> rx.Component:
    return rx.el.option(value=name)


def _address(label: str, name: str, value: Any, error: Any, **more: Any) -> rx.Component:
    return field(label, name, type="email", auto_complete="off", default_value=value, error=error, **more)


def _speaker(row: SpeakerRow, index: Any) -> rx.Component:
    errors = EventFormState.errors
    first = index == 0
    error = rx.cond(first, errors.speaker_name, "")
    return rx.el.div(
        rx.el.div(
            rx.el.p(f"Intervenant {index + 1}", class_name="speaker-number"),
            rx.cond(_count() > 1, _tools(row, index), rx.fragment()),
            class_name="speaker-head",
        ),
        form_row(
            _name(row, first, error),
            _line("Entreprise", "speaker_company", row.company, row.key, rx.cond(first, errors.speaker_company, "")),
            _line("Fonction", "speaker_role", row.role, row.key, rx.cond(first, errors.speaker_role, "")),
        ),
        text_area(
            "Présentation",
            "speaker_bio",
            rows=2,
            id=f"speaker-bio-{row.key}",
            default_value=row.bio,
            error=rx.cond(first, errors.speaker_bio, ""),
            longest=LONGEST_BIO,
        ),
        key=row.key,
        role="group",
        aria_label=f"Intervenant {index + 1}",
        data_row=row.key,
        class_name="speaker-row",
    )


def _name(row: SpeakerRow, first: Any, error: Any) -> rx.Component:
    """The same element at every index, so that a moved row keeps what is typed; only the first is required."""
    return field(
        "Nom",
        "speaker_name",
        id=f"speaker-name-{row.key}",
        default_value=row.name,
        error=error,
        aria_required=rx.cond(first, "true", "false"),
        auto_complete="off",
    )


def _line(label: str, name: str, value: Any, key: Any, error: Any) -> rx.Component:
    return field(label, name, id=f"{name.replace('_', '-')}-{key}", default_value=value, error=error)


def _tools(row: SpeakerRow, index: Any) -> rx.Component:
    last = index == _count() - 1
    return rx.el.div(
        _move(row, index, "up", at_end=index == 0),
        _move(row, index, "down", at_end=last),
        button(
            "Supprimer",
            rx.el.span(f" l’intervenant {index + 1}", class_name="visually-hidden"),
            variant="quiet",
            on_click=SpeakersState.remove(row.key),
        ),
        class_name="speaker-tools",
    )


def _move(row: SpeakerRow, index: Any, way: str, *, at_end: Any) -> rx.Component:
    """Not removed at either end, so that it keeps the focus."""
    return button(
        "Monter" if way == "up" else "Descendre",
        rx.el.span(f" l’intervenant {index + 1}", class_name="visually-hidden"),
        variant="quiet",
        aria_disabled=rx.cond(at_end, "true", "false"),
        data_move=way,
        on_click=SpeakersState.move(row.key, -1 if way == "up" else 1),
    )


def _count() -> Any:
    return rx.Var.create(SpeakersState.rows).length()


def _buttons() -> rx.Component:
    label = rx.cond(EventFormState.form.id != "", "Mettre à jour", "Créer")
    return form_actions(
        button("Annuler", variant="secondary", on_click=EventFormState.close),
        button(label, type="submit", busy=EventFormState.is_saving, busy_label="Enregistrement…"),
    )
