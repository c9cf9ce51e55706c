"""The French words of an act's details and of the values before and after."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from clubapp import clock
from clubapp.infra import refusal_counts
from clubapp.services.companies import admin_form as company_form
from clubapp.services.members import admin_form as member_form

LONGEST = 300
EMPTY = "vide"
_OTHERS = {
    "company": "Entreprise",
    "opted_out_at": "Désinscription",
    "reviewed_at": "Fiche relue le",
    "entered_via": "Saisie",
    "needs_consent": "Accord à demander",
    "opens_meetings": "Arrive à ses rencontres",
    "title": "Titre",
    "date": "Date",
    "ends_at": "Fin",
    "location": "Lieu",
    "max_participants": "Places",
    "has_lunch": "Déjeuner",
    "status": "Statut",
    "host": "Hôte",
    "host_email": "E-mail de l’hôte",
    "caterer_email": "E-mail du traiteur",
    "doors_closed_at": "Accueil clos le",
    "answers_until": "Réponses jusqu’au",
    "speakers": "Intervenants",
    "speaker_bios": "Présentations des intervenants",
    "will_attend": "Présence",
    "with_lunch": "Déjeuner",
    "guest_count": "Invités",
    "named_guests": "Invités nommés",
    "subject": "Objet",
    "content": "Contenu",
    "audience": "Destinataires",
    "left_off": "Retirés de la liste",
    "sender_name": "Nom",
    "sender_role": "Fonction",
    "company_name": "Réseau",
    "mobile": "Mobile",
    "custom_html": "Mise en forme",
    "days_before": "Jours avant",
    "is_active": "Actif",
    "to_unanswered": "Aussi à ceux qui n’ont pas répondu",
    "template_subject": "Objet",
    "template_content": "Texte",
    "unanswered_subject": "Objet, sans réponse",
    "unanswered_content": "Texte, sans réponse",
    "email_subject": "Objet de l’invitation",
    "email_template": "Texte de l’invitation",
    "reminder_1_subject": "Objet de la 1re relance",
    "reminder_1_template": "Texte de la 1re relance",
    "reminder_2_subject": "Objet de la 2e relance",
    "reminder_2_template": "Texte de la 2e relance",
    "image_url": "Photo",
    "logo_url": "Logo",
    "is_listed": "Présent dans l’annuaire",
    "opens_today": "S’ouvre sur la page du jour",
    "waiting_place": "Place dans la liste d’attente",
    "tables": "Tables",
    "seats": "Places par table",
    "table": "Table",
    "locked": "Place fixée",
    "came": "Est venu",
    "verdict": "Avis",
}
COLUMNS = company_form.LABELS | member_form.LABELS | _OTHERS | {"name": "Nom"}
_REMINDERS = {
    "invitation": "Invitation",
    "event_reminder_1": "Première relance",
    "event_reminder_2": "Seconde relance",
}
_WORDS = {
    "status": {"draft": "Brouillon", "confirmed": "Confirmé", "completed": "Terminé", "cancelled": "Annulé"},
    "verdict": {"compatible": "Compatible", "accepted": "Concurrence acceptée"},
    "mail": _REMINDERS,
    "entered_via": {"administrator": "par un administrateur", "import": "par un import"},
    "factor_type": {"totp": "application", "webauthn": "clé d’accès", "recovery_code": "code de secours"},
}
_DETAILS = {
    "title": "titre",
    "name": "nom",
    "file": "fichier",
    "queued": "messages",
    "excluded": "non envoyés",
    "withdrawn": "retirés",
    "left": "laissés",
    "handed_over": "remis",
    "failed": "refusés",
    "schema": "schéma",
    "version": "version",
    "count": "nombre",
    "lines": "lignes",
    "changed": "fiches écrites",
    "mail": "envoi",
    "factor_type": "moyen",
    "to": "place",
    "seats": "places par table",
    "table": "table",
    "locked": "fixée",
    "person": "personne",
    "other": "avec",
    "came": "est venu",
}
# What another column says better, or what has no meaning for people.
SILENT = {
    "company_id",
    "created_by",
    "sent_by",
    "invitation_sent",
    "email_failure",
    "email_failed_at",
    "reminder_type",
    "sent_at",
    "sent_count",
    "paused_at",
    "stopped_at",
}


def describe_detail(action: str, detail: Mapping[str, Any]) -> str:
    """'titre : Matinale, messages : 41'; the numbers of refusals by what was refused."""
    names = refusal_counts.LABELS if action == "refusals" else _DETAILS
    parts = [f"{names[name]}\u00a0: {_value(name, value)}" for name, value in detail.items() if name in names]
    return ", ".join(parts)


def describe_changes(content: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """The label of each changed column, and its values before and after as people read them."""
    return [
        (_label(name), _value(name, before), _value(name, after))
        for name, (before, after) in content.items()
        if name not in SILENT
    ]


def _label(column: str) -> str:
    group, _, name = column.rpartition(".")
    label = COLUMNS.get(name, name.replace("_", " ").capitalize())
    return f"{_REMINDERS.get(group, group)}, {label[:1].lower()}{label[1:]}" if group else label


def _value(column: str, value: Any) -> str:
    if value is None or value in ("", []):
        return EMPTY
    if isinstance(value, bool):
        return "oui" if value else "non"
    if column.endswith("_url"):
        return "une image"
    if isinstance(value, list):
        return _shorten(", ".join(_value(column, each) for each in value))
    text = str(value)
    return _WORDS.get(column, {}).get(text) or _instant(text) or _shorten(text)


def _instant(text: str) -> str:
    """The local time of an instant that was written down; empty for any other text."""
    try:
        found = datetime.fromisoformat(text) if len(text) >= 19 and text[4] == text[7] == "-" else None
    except ValueError:
        return ""
    return clock.short_date(found) if found and found.tzinfo else ""


def _shorten(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1].rstrip()}…"
