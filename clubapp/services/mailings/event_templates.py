"""The texts of an event's three mails: reading, changing, resetting to the default (M5).

Place, time and answer buttons above each text, programme, speakers and signature below it, come from the template of
the mail.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlmodel import Session

from clubapp.mail.messages import event_variables, text_choice
from clubapp.mail.messages.built_in_event_texts import EventTemplate
from clubapp.mail.messages.test_mail import TYPES
from clubapp.models import Event, ReminderType
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor, require_admin, require_fresh
from clubapp.services.base.edit_conflicts import require_version, version_of_values
from clubapp.services.base.form_fields import clean_block, clean_line
from clubapp.services.events import mailing_schedule
from clubapp.services.events.editing import find_event
from clubapp.services.mailings.mail_texts import MailTextCheck

VARIABLES = tuple(event_variables.MEANINGS.items())
LABELS = event_variables.LABELS

NO_SUBJECT = "Indiquez l’objet de l’e-mail."
NO_CONTENT = "Indiquez le contenu de l’e-mail."


@dataclass(frozen=True)
class Template:
    """The text of one of the three mails, and the default that 'Réinitialiser' restores."""

    subject: str = ""
    content: str = ""
    default_subject: str = ""
    default_content: str = ""


@dataclass(frozen=True)
class EventTemplates:
    """The content of the template dialog. `seen` is the version of the texts."""

    event_id: str = ""
    seen: str = ""
    title: str = ""
    invitation_sent: bool = False
    invitation: Template = Template()
    reminder_1: Template = Template()
    reminder_2: Template = Template()


def open_form(session: Session, actor: Actor, event_id: str) -> EventTemplates:
    """The three texts of an event.

    Raises:
        NotFound: when it was deleted.
    """
    require_admin(actor)
    event = find_event(session, event_id)
    return EventTemplates(
        event_id=event.id,
        seen=_version(event),
        title=event.title,
        invitation_sent=event.invitation_sent,
        **{name: _template(session, event, which) for name, which in TYPES.items()},
    )


def save(session: Session, actor: Actor, event_id: str, seen: str, typed: Mapping[str, str]) -> None:
    """Save the texts, given by column name. One equal to the default is stored as NULL and follows later defaults.

    Raises:
        InvalidForm: when a text is empty or too long, or holds a variable that does not exist.
        NotFound: when the event was deleted.
        ProofRequired: when an automatic mailing will carry another text, and the actor's last proof is too old (S13).
        TextChanged: when someone saved other texts since they were opened.
    """
    require_admin(actor)
    event = find_event(session, event_id, lock=True)
    check = TemplateCheck()
    checked = {which: _check_typed(check, typed, which) for which in TYPES.values()}
    check.raise_errors()
    require_version(seen, _version(event))
    columns = audit.read_columns(event)
    before = {which: text_choice.event_text(session, event, which) for which in checked}
    for which, taken in checked.items():
        default = text_choice.club_text(session, which)
        subject_column, body_column = text_choice.COLUMNS[which]
        setattr(event, subject_column, None if taken.subject == clean_line(default.subject) else taken.subject)
        setattr(event, body_column, None if taken.body == clean_block(default.body) else taken.body)
    session.add(event)
    automatic = mailing_schedule.list_automatic(session, event)
    if any(text_choice.event_text(session, event, which) != before[which] for which in automatic):
        require_fresh(actor)
    changes = audit.compare(columns, audit.read_columns(event))
    audit.record(session, actor, "event.templates_updated", event.id, changes=changes, title=event.title)


def check_template(subject: str, content: str) -> EventTemplate:
    """Check a text.

    Raises:
        InvalidForm: with errors of 'subject' and 'content'.
    """
    check = TemplateCheck()
    checked = check.template("subject", subject, "content", content)
    check.raise_errors()
    return checked


class TemplateCheck(MailTextCheck):
    """Collects the errors of a form that holds texts of mails."""

    def template(self, subject_name: str, subject: str, content_name: str, content: str) -> EventTemplate:
        """A text, from the names of its two fields and what was typed in them."""
        return EventTemplate(
            self._known(subject_name, self.required(subject_name, self.line(subject_name, subject), NO_SUBJECT)),
            self._known(content_name, self.mail_text(content_name, content, NO_CONTENT)),
        )

    def _known(self, name: str, text: str) -> str:
        unknown = name_unknown_variables(text)
        if unknown and name not in self.errors:
            self.errors[name] = unknown
        return text


def name_unknown_variables(text: str) -> str:
    """The sentence that refuses the unknown variables of a text by name; empty without any (M5)."""
    unknown = event_variables.find_unknown(text)
    if not unknown:
        return ""
    named = ", ".join(f"{{{{{variable[:40]}}}}}" for variable in unknown[:5])
    plural = "Variables inconnues" if len(unknown) > 1 else "Variable inconnue"
    return f"{plural}\u00a0: {named}. Choisissez parmi les variables proposées."


def _check_typed(check: TemplateCheck, typed: Mapping[str, str], which: ReminderType) -> EventTemplate:
    subject, body = text_choice.COLUMNS[which]
    return check.template(subject, typed.get(subject, ""), body, typed.get(body, ""))


def _template(session: Session, event: Event, which: ReminderType) -> Template:
    own, default = text_choice.event_text(session, event, which), text_choice.club_text(session, which)
    return Template(own.subject, own.body, default.subject, default.body)


def _version(event: Event) -> str:
    return version_of_values(*(getattr(event, name) for columns in text_choice.COLUMNS.values() for name in columns))
