"""The settings of the three automatic mails: when they are sent, to whom, with which texts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col, select

from clubapp.database import insert_statement
from clubapp.mail.messages.built_in_event_texts import (
    DEFAULT_TEMPLATES,
    STARTING_TIMING,
    UNANSWERED_TEMPLATES,
    EventTemplate,
)
from clubapp.mail.messages.formatted_text import convert_to_plain
from clubapp.models import EmailReminderSetting, ReminderType, new_id
from clubapp.models.mail import MAX_DAYS_BEFORE
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor, require_admin, require_fresh_admin
from clubapp.services.base.edit_conflicts import require_version, version_of_values
from clubapp.services.base.form_fields import clean_block, clean_line
from clubapp.services.events import mailing_schedule
from clubapp.services.mailings.event_templates import TemplateCheck
from clubapp.services.mailings.mail_texts import clean_mail_text

NAMES = {
    ReminderType.INVITATION: "Invitation",
    ReminderType.FIRST: "1re relance",
    ReminderType.SECOND: "2e relance",
}
TO_THOSE_WHO_COME = "Les relances partent automatiquement vers les membres ayant confirmé leur présence."
OUT_OF_RANGE = f"Indiquez un nombre de jours entre 0 et {MAX_DAYS_BEFORE}."


@dataclass(frozen=True)
class ReminderCard:
    """One setting for its card. `asks` says that the mail can also go to those who have not answered."""

    id: str = ""
    kind: str = ""
    name: str = ""
    days_before: int = 0
    is_active: bool = False
    subject: str = ""
    content: str = ""
    excerpt: str = ""
    asks: bool = False
    to_unanswered: bool = False
    unanswered_subject: str = ""
    unanswered_content: str = ""


@dataclass(frozen=True)
class ReminderSettings:
    """The settings, the earliest mail first. `seen` is their version, `recipients` says who gets the reminders."""

    seen: str = ""
    recipients: str = ""
    cards: tuple[ReminderCard, ...] = ()


@dataclass(frozen=True)
class TypedReminder:
    """One card as typed; `days_before` is the text of its field."""

    id: str = ""
    days_before: str = ""
    is_active: bool = False
    template_subject: str = ""
    template_content: str = ""
    to_unanswered: bool = False
    unanswered_subject: str = ""
    unanswered_content: str = ""


def create_missing(session: Session) -> None:
    """Insert the default settings that are missing. Safe when called concurrently."""
    insert = insert_statement(session.get_bind().dialect.name, EmailReminderSetting)
    known = set(session.exec(select(EmailReminderSetting.reminder_type)))
    for which in ReminderType:
        if which not in known:
            row = default_setting(which).model_dump()
            session.execute(insert.values(row).on_conflict_do_nothing(index_elements=["reminder_type"]))


def default_setting(which: ReminderType, identifier: str = "") -> EmailReminderSetting:
    """A default setting, with empty texts, which stand for the built-in ones."""
    timing = STARTING_TIMING[which]
    return EmailReminderSetting(
        id=identifier or new_id(),
        reminder_type=which,
        days_before=timing.days_before,
        is_active=timing.is_active,
        to_unanswered=timing.to_unanswered,
    )


def read_settings(session: Session, actor: Actor) -> ReminderSettings:
    """The settings, by `days_before` descending."""
    require_admin(actor)
    query = select(EmailReminderSetting).order_by(
        col(EmailReminderSetting.days_before).desc(), col(EmailReminderSetting.reminder_type)
    )
    rows = session.exec(query).all()
    return ReminderSettings(_version(rows), _describe_recipients(rows), tuple(_card(row) for row in rows))


def open_settings(session: Session, actor: Actor) -> ReminderSettings:
    """The settings, created when they are missing."""
    require_admin(actor)
    create_missing(session)
    return read_settings(session, actor)


def save(session: Session, actor: Actor, seen: str, typed: Sequence[TypedReminder]) -> ReminderSettings:
    """Save the settings, all or none, and plan the mailings of future events again.

    A text equal to the built-in one is stored as empty, so that it follows later versions of it.

    Raises:
        ProofRequired: when a mail is turned on, or one that is on gets another text, another day or more recipients,
            and the actor's last proof is too old (S13).
        InvalidForm: fields are named '<field>:<id of the card>'.
        TextChanged: when someone saved others since they were opened.
    """
    require_admin(actor)
    rows = session.exec(select(EmailReminderSetting).with_for_update()).all()
    named = {row.id: row for row in rows}
    chosen = [(named[each.id], each) for each in typed if each.id in named]
    check = TemplateCheck()
    for row, each in chosen:
        _check(check, row, each)
    check.raise_errors()
    require_version(seen, _version(rows))
    columns, sent_before = _read_columns(rows), {row.id: _describe_sending(row) for row in rows}
    for row, each in chosen:
        _write(session, row, each)
    if any(sent - sent_before[row.id] for row in rows if (sent := _describe_sending(row))):
        require_fresh_admin(actor)
    audit.record(session, actor, "reminders.updated", changes=audit.compare(columns, _read_columns(rows)))
    session.flush()
    mailing_schedule.plan_all_mailings(session)
    return read_settings(session, actor)


def _read_columns(rows: Sequence[EmailReminderSetting]) -> dict[str, Any]:
    return {f"{row.reminder_type}.{name}": value for row in rows for name, value in audit.read_columns(row).items()}


def parse_days(text: str) -> int:
    """Parse a number of days; anything else is 0."""
    text = text.strip()
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdecimal() and len(digits) < 6 else 0


def _write(session: Session, row: EmailReminderSetting, typed: TypedReminder) -> None:
    which = ReminderType(row.reminder_type)
    row.days_before, row.is_active = parse_days(typed.days_before), bool(typed.is_active)
    default = DEFAULT_TEMPLATES[which]
    row.template_subject = _own(clean_line(typed.template_subject), clean_line(default.subject))
    row.template_content = _own(clean_mail_text(typed.template_content), clean_block(default.body))
    if _asks(row):
        default = UNANSWERED_TEMPLATES[which]
        row.to_unanswered = bool(typed.to_unanswered)
        row.unanswered_subject = _own(clean_line(typed.unanswered_subject), clean_line(default.subject))
        row.unanswered_content = _own(clean_mail_text(typed.unanswered_content), clean_block(default.body))
    session.add(row)


def _describe_sending(row: EmailReminderSetting) -> set[tuple[Any, ...]]:
    """What is sent by itself: to each group its text and its day; nothing while it is off."""
    if not row.is_active:
        return set()
    sent = {("all", row.days_before, row.template_subject, row.template_content)}
    if row.to_unanswered:
        sent.add(("unanswered", row.days_before, row.unanswered_subject, row.unanswered_content))
    return sent


def _own(text: str, built_in: str) -> str:
    return "" if text == built_in else text


def _check(check: TemplateCheck, row: EmailReminderSetting, typed: TypedReminder) -> None:
    if not 0 <= parse_days(typed.days_before) <= MAX_DAYS_BEFORE:
        check.errors[f"days_before:{row.id}"] = OUT_OF_RANGE
    subject, content = f"template_subject:{row.id}", f"template_content:{row.id}"
    check.template(subject, typed.template_subject, content, typed.template_content)
    if _asks(row) and typed.to_unanswered:
        subject, content = f"unanswered_subject:{row.id}", f"unanswered_content:{row.id}"
        check.template(subject, typed.unanswered_subject, content, typed.unanswered_content)


def _card(row: EmailReminderSetting) -> ReminderCard:
    which = ReminderType(row.reminder_type)
    default, asking = DEFAULT_TEMPLATES[which], UNANSWERED_TEMPLATES.get(which, EventTemplate("", ""))
    return ReminderCard(
        id=row.id,
        kind=row.reminder_type,
        name=NAMES[which],
        days_before=row.days_before,
        is_active=row.is_active,
        subject=row.template_subject or default.subject,
        content=row.template_content or default.body,
        excerpt=convert_to_plain(row.template_content or default.body),
        asks=_asks(row),
        to_unanswered=row.to_unanswered,
        unanswered_subject=row.unanswered_subject or asking.subject,
        unanswered_content=row.unanswered_content or asking.body,
    )


def _describe_recipients(rows: Sequence[EmailReminderSetting]) -> str:
    asking = sorted(NAMES[ReminderType(row.reminder_type)] for row in rows if _asks(row) and row.to_unanswered)
    if not asking:
        return TO_THOSE_WHO_COME
    which = f"La {asking[0]} part" if len(asking) == 1 else f"La {' et la '.join(asking)} partent"
    return f"{TO_THOSE_WHO_COME} {which} aussi à ceux qui n’ont pas répondu."


def _asks(row: EmailReminderSetting) -> bool:
    return ReminderType(row.reminder_type) in UNANSWERED_TEMPLATES


def _version(rows: Sequence[EmailReminderSetting]) -> str:
    kept = sorted(tuple(sorted(row.model_dump().items())) for row in rows)
    return version_of_values(*kept)
