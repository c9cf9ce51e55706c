"""Which text and which signature a mail uses: the event's own, then the club's, then the built-in one."""

from dataclasses import dataclass
from html import unescape

import nh3
from sqlmodel import Session, select

from clubapp import links, phones
from clubapp.mail.defaults import DEFAULT_TEMPLATES, EventTemplate
from clubapp.models import EmailReminderSetting, EmailSignature, Event, ReminderType
from clubapp.settings import settings

_COLUMNS = {
    ReminderType.INVITATION: ("email_subject", "email_template"),
    ReminderType.FIRST: ("reminder_1_subject", "reminder_1_template"),
    ReminderType.SECOND: ("reminder_2_subject", "reminder_2_template"),
}
_LINE_ENDS = ("<br>", "<br/>", "<br />", "</p>", "</div>", "</tr>", "</li>")


@dataclass(frozen=True)
class Signature:
    """Who signs. `custom_html`, when there is one, stands in place of the rest; `custom_text` says the same."""

    sender_name: str
    sender_role: str
    company_name: str
    phone: str
    mobile: str
    address: str
    website: str
    custom_html: str = ""
    custom_text: str = ""


def of_event(session: Session, event: Event, which: ReminderType) -> EventTemplate:
    """Subject and body of one of the three mails of an event; each falls back by itself."""
    subject_column, body_column = _COLUMNS[which]
    club = session.exec(select(EmailReminderSetting).where(EmailReminderSetting.reminder_type == which)).first()
    default = DEFAULT_TEMPLATES[which]
    return EventTemplate(
        getattr(event, subject_column) or (club and club.template_subject) or default.subject,
        getattr(event, body_column) or (club and club.template_content) or default.body,
    )


def signature(session: Session) -> Signature:
    """The club's signature, or the built-in one made of the settings."""
    row = session.exec(select(EmailSignature).limit(1)).first()
    if row is None:
        return _built_in()
    html = nh3.clean(row.custom_html)
    return Signature(
        row.sender_name,
        row.sender_role,
        row.company_name,
        phones.written(row.phone),
        phones.written(row.mobile),
        row.address,
        links.web_address(row.website),
        custom_html=html,
        custom_text=_as_text(html),
    )


def _built_in() -> Signature:
    club = settings()
    return Signature(
        sender_name=club.animator_name,
        sender_role="Animation du réseau",
        company_name=club.name,
        phone=phones.written(club.contact_phone),
        mobile="",
        address=club.region,
        website=club.public_url,
    )


def _as_text(html: str) -> str:
    """The words of a fragment, one line per line of it."""
    for end in _LINE_ENDS:
        html = html.replace(end, f"{end}\n")
    lines = unescape(nh3.clean(html, tags=set())).splitlines()
    return "\n".join(line.strip() for line in lines if line.strip())
