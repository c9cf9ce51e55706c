"""Which text and which signature a mail uses: the event's own, then the club's, then the built-in one."""

from dataclasses import dataclass

import nh3
from sqlmodel import Session, select

from clubapp.mail.messages.default_texts import DEFAULT_TEMPLATES, UNANSWERED_TEMPLATES, EventTemplate
from clubapp.mail.messages.html_to_text import convert_to_text
from clubapp.models import EmailReminderSetting, EmailSignature, Event, ReminderType
from clubapp.settings import settings
from clubapp.text import phone_numbers, web_links

COLUMNS = {
    ReminderType.INVITATION: ("email_subject", "email_template"),
    ReminderType.FIRST: ("reminder_1_subject", "reminder_1_template"),
    ReminderType.SECOND: ("reminder_2_subject", "reminder_2_template"),
}
# What a signature may say with `style`: nothing that fetches, covers or moves.
_PROPERTIES = {
    "background-color", "border", "border-bottom", "border-color", "border-left", "border-radius", "border-right",
    "border-top", "color", "font-family", "font-size", "font-style", "font-weight", "height", "letter-spacing",
    "line-height", "margin", "margin-bottom", "margin-left", "margin-right", "margin-top", "max-width", "padding",
    "padding-bottom", "padding-left", "padding-right", "padding-top", "text-align", "text-decoration",
    "vertical-align", "white-space", "width",
}  # fmt: skip
_STYLED = (
    "a", "b", "div", "em", "h1", "h2", "h3", "h4", "hr", "i", "img", "li", "ol", "p", "small", "span", "strong",
    "table", "tbody", "td", "th", "tr", "u", "ul",
)  # fmt: skip
_TABLE = {"cellpadding", "cellspacing", "border", "bgcolor", "valign", "width", "height"}
_ATTRIBUTES = {tag: set(names) for tag, names in nh3.ALLOWED_ATTRIBUTES.items()}
for _tag in _STYLED:
    _ATTRIBUTES.setdefault(_tag, set()).add("style")
for _tag in ("table", "td", "th", "tr"):
    _ATTRIBUTES[_tag] |= _TABLE


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


def event_text(session: Session, event: Event, which: ReminderType) -> EventTemplate:
    """Subject and body of one of the three mails of an event; each falls back by itself."""
    subject_column, body_column = COLUMNS[which]
    default = club_text(session, which)
    return EventTemplate(getattr(event, subject_column) or default.subject, getattr(event, body_column) or default.body)


def club_text(session: Session, which: ReminderType) -> EventTemplate:
    """What an event without words of its own uses: the club's text, or the built-in one."""
    club, default = _setting(session, which), DEFAULT_TEMPLATES[which]
    if club is None:
        return default
    return EventTemplate(club.template_subject or default.subject, club.template_content or default.body)


def unanswered_text(session: Session, which: ReminderType) -> EventTemplate:
    """The reminder as those read it who have not answered: the club's text, or the built-in one.

    Raises:
        KeyError: for the invitation, which everyone reads alike.
    """
    club, default = _setting(session, which), UNANSWERED_TEMPLATES[which]
    if club is None:
        return default
    return EventTemplate(club.unanswered_subject or default.subject, club.unanswered_content or default.body)


def signature(session: Session) -> Signature:
    """The club's signature, or the built-in one made of the settings."""
    row = session.exec(select(EmailSignature).limit(1)).first()
    return default_signature() if row is None else signature_of_row(row)


def signature_of_row(row: EmailSignature) -> Signature:
    """A signature as mails show it. Its HTML is cleaned here too, whoever wrote it into the table (M6)."""
    html = clean_html(row.custom_html)
    return Signature(
        row.sender_name,
        row.sender_role,
        row.company_name,
        phone_numbers.format_phone(row.phone),
        phone_numbers.format_phone(row.mobile),
        row.address,
        web_links.web_address(row.website),
        custom_html=html,
        custom_text=convert_to_text(html),
    )


def default_signature() -> Signature:
    """What signs before anyone has written a signature."""
    club = settings()
    return Signature(
        sender_name=club.animator_name,
        sender_role="Animation du réseau",
        company_name=club.name,
        phone=phone_numbers.format_phone(club.contact_phone),
        mobile="",
        address=club.region,
        website=club.public_url,
    )


def clean_html(html: str) -> str:
    """What administrators type as HTML, without anything that runs, fetches in secret or leaves its place (M6)."""
    return nh3.clean(
        html,
        attributes=_ATTRIBUTES,
        filter_style_properties=_PROPERTIES,
        url_schemes={"http", "https", "mailto", "tel"},
        url_relative="deny",
    ).strip()


def _setting(session: Session, which: ReminderType) -> EmailReminderSetting | None:
    return session.exec(select(EmailReminderSetting).where(EmailReminderSetting.reminder_type == which)).first()
