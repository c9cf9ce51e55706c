"""When the three automatic mails go out, and whom reminders ask."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session, col, select

from clubapp.database import insertion
from clubapp.mail.messages.default_texts import DEFAULT_TEMPLATES, STARTING_TIMING, UNANSWERED_TEMPLATES, EventTemplate
from clubapp.models import EmailReminderSetting, ReminderType, new_id
from clubapp.models.mail import MAX_DAYS_BEFORE
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.base.edit_conflicts import require_version, version_of_values
from clubapp.services.base.form_fields import InvalidForm, block, line
from clubapp.services.events import mailing_schedule
from clubapp.services.mailings.event_templates import wrong

NAMES = {
    ReminderType.INVITATION: "Invitation",
    ReminderType.FIRST: "1ère relance",
    ReminderType.SECOND: "2ème relance",
}
OUT_OF_RANGE = f"Indiquez un nombre de jours entre 0 et {MAX_DAYS_BEFORE}."


@dataclass(frozen=True)
class ReminderCard:
    """One setting as its card shows it. `asks` is whether it can also ask those who have not answered."""

    id: str = ""
    kind: str = ""
    name: str = ""
    days_before: int = 0
    is_active: bool = False
    subject: str = ""
    content: str = ""
    asks: bool = False
    to_unanswered: bool = False
    unanswered_subject: str = ""
    unanswered_content: str = ""


@dataclass(frozen=True)
class ReminderSettings:
    """The settings, the earliest mail first, and their version."""

    seen: str = ""
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
    """Give the club the settings it starts with, those that are not there yet. Whoever else does the same, once."""
    insert = insertion(session.get_bind().dialect.name, EmailReminderSetting)
    known = set(session.exec(select(EmailReminderSetting.reminder_type)))
    for which in ReminderType:
        if which not in known:
            row = default_setting(which).model_dump()
            session.execute(insert.values(row).on_conflict_do_nothing(index_elements=["reminder_type"]))


def default_setting(which: ReminderType, identifier: str = "") -> EmailReminderSetting:
    """A setting as a club starts with it: without texts of its own, so that it follows the built-in ones."""
    timing = STARTING_TIMING[which]
    return EmailReminderSetting(
        id=identifier or new_id(),
        reminder_type=which,
        days_before=timing.days_before,
        is_active=timing.is_active,
        to_unanswered=timing.to_unanswered,
    )


def overview(session: Session, actor: Actor) -> ReminderSettings:
    """The settings, by `days_before` descending."""
    require_admin(actor)
    query = select(EmailReminderSetting).order_by(
        col(EmailReminderSetting.days_before).desc(), col(EmailReminderSetting.reminder_type)
    )
    rows = session.exec(query).all()
    return ReminderSettings(_version(rows), tuple(_card(row) for row in rows))


def opened(session: Session, actor: Actor) -> ReminderSettings:
    """The settings, which a club has from the first look on."""
    require_admin(actor)
    create_missing(session)
    return overview(session, actor)


def save(session: Session, actor: Actor, seen: str, typed: Sequence[TypedReminder]) -> ReminderSettings:
    """Keep the settings, one after another, all or none; the mailings of the events to come follow them.

    A text that is the built-in one is kept as none, and follows it.

    Raises:
        InvalidForm: with the name of each wrong field and, after a colon, the id of its card.
        TextChanged: when someone saved others in between.
    """
    require_admin(actor)
    rows = session.exec(select(EmailReminderSetting).with_for_update()).all()
    named = {row.id: row for row in rows}
    chosen = [(named[each.id], each) for each in typed if each.id in named]
    if errors := {name: text for row, each in chosen for name, text in _errors(row, each).items()}:
        raise InvalidForm(errors)
    require_version(seen, _version(rows))
    for row, each in chosen:
        _write(session, row, each)
    days_before = {row.reminder_type: row.days_before for row, _ in chosen}
    audit.record(session, actor, "reminders.updated", days_before=days_before)
    session.flush()
    mailing_schedule.plan_all_mailings(session)
    return overview(session, actor)


def days(text: str) -> int:
    """The number of a field; what is no number is 0."""
    text = text.strip()
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdecimal() and len(digits) < 6 else 0


def _write(session: Session, row: EmailReminderSetting, typed: TypedReminder) -> None:
    which = ReminderType(row.reminder_type)
    row.days_before, row.is_active = days(typed.days_before), bool(typed.is_active)
    default = DEFAULT_TEMPLATES[which]
    row.template_subject = _own(line(typed.template_subject), line(default.subject))
    row.template_content = _own(block(typed.template_content), block(default.body))
    if _asks(row):
        default = UNANSWERED_TEMPLATES[which]
        row.to_unanswered = bool(typed.to_unanswered)
        row.unanswered_subject = _own(line(typed.unanswered_subject), line(default.subject))
        row.unanswered_content = _own(block(typed.unanswered_content), block(default.body))
    session.add(row)


def _own(text: str, built_in: str) -> str:
    return "" if text == built_in else text


def _errors(row: EmailReminderSetting, typed: TypedReminder) -> dict[str, str]:
    errors = {}
    if not 0 <= days(typed.days_before) <= MAX_DAYS_BEFORE:
        errors["days_before"] = OUT_OF_RANGE
    text = EventTemplate(line(typed.template_subject), block(typed.template_content))
    errors |= wrong(text, "template_subject", "template_content")
    if _asks(row) and typed.to_unanswered:
        text = EventTemplate(line(typed.unanswered_subject), block(typed.unanswered_content))
        errors |= wrong(text, "unanswered_subject", "unanswered_content")
    return {f"{name}:{row.id}": text for name, text in errors.items()}


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
        asks=_asks(row),
        to_unanswered=row.to_unanswered,
        unanswered_subject=row.unanswered_subject or asking.subject,
        unanswered_content=row.unanswered_content or asking.body,
    )


def _asks(row: EmailReminderSetting) -> bool:
    return ReminderType(row.reminder_type) in UNANSWERED_TEMPLATES


def _version(rows: Sequence[EmailReminderSetting]) -> str:
    kept = sorted(tuple(sorted(row.model_dump().items())) for row in rows)
    return version_of_values(*kept)
