"""The text and the signature of a mail: the event's own, else the club's, else the built-in one."""

from collections.abc import Callable
from dataclasses import dataclass

import nh3
from sqlmodel import Session, select

from clubapp.mail.messages.built_in_event_texts import DEFAULT_TEMPLATES, UNANSWERED_TEMPLATES, EventTemplate
from clubapp.models import EmailReminderSetting, EmailSignature, Event, ReminderType
from clubapp.settings import settings
from clubapp.text import phone_numbers, web_links
from clubapp.text.html_to_text import convert_to_text

COLUMNS = {
    ReminderType.INVITATION: ("email_subject", "email_template"),
    ReminderType.FIRST: ("reminder_1_subject", "reminder_1_template"),
    ReminderType.SECOND: ("reminder_2_subject", "reminder_2_template"),
}
# The CSS properties a signature may use: none that loads a file, or places an element outside the signature.
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
    """Who signs a mail. `custom_html`, if any, replaces the other fields; `custom_text` is the same as plain text."""

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
    """Subject and body of one of the three mails of an event, each the event's own or the one of `club_text`."""
    subject_column, body_column = COLUMNS[which]
    default = club_text(session, which)
    return EventTemplate(getattr(event, subject_column) or default.subject, getattr(event, body_column) or default.body)


def own_subject(session: Session, event: Event, which: ReminderType) -> str:
    """The subject of a mail of which the event has its own text; empty where nothing of it is the event's own."""
    subject, body = (getattr(event, column) for column in COLUMNS[which])
    return club_text(session, which).subject if body and not subject else subject or ""


def club_text(session: Session, which: ReminderType) -> EventTemplate:
    """Subject and body for events without their own, each the club's or the built-in one."""
    club, default = _read_setting(session, which), DEFAULT_TEMPLATES[which]
    if club is None:
        return default
    return EventTemplate(club.template_subject or default.subject, club.template_content or default.body)


def unanswered_text(session: Session, which: ReminderType) -> EventTemplate:
    """Subject and body of a reminder to those who have not answered, each the club's or the built-in one.

    Raises:
        KeyError: for the invitation, which has no such text.
    """
    club, default = _read_setting(session, which), UNANSWERED_TEMPLATES[which]
    if club is None:
        return default
    return EventTemplate(club.unanswered_subject or default.subject, club.unanswered_content or default.body)


def signature(session: Session) -> Signature:
    """The club's signature, or the built-in one made of the settings."""
    row = session.exec(select(EmailSignature).limit(1)).first()
    return default_signature() if row is None else signature_of_row(row)


def signature_of_row(row: EmailSignature) -> Signature:
    """A signature as mails show it. Its HTML is cleaned again, for it may have been stored by other means (M6)."""
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
    """The built-in signature, made of the settings."""
    club = settings()
    return Signature(
        sender_name=club.animator_name,
        sender_role="Animation du réseau",
        company_name=club.name,
        phone=phone_numbers.format_phone(club.contact_phone),
        mobile=phone_numbers.format_phone(club.contact_mobile),
        address=club.contact_address,
        website=club.public_url,
    )


def clean_html(html: str) -> str:
    """HTML without scripts and remote pictures, without styles that load files or move elements (M6, M14).

    Addresses are absolute. Of a picture of another site its description stays.
    """
    return _clean(html, lambda tag, name, value: None if _is_remote_picture(tag, name, value) else value)


def has_remote_pictures(html: str) -> bool:
    """Whether HTML shows pictures of another site, which would learn who opens a mail (M14)."""
    found: list[str] = []

    def note(tag: str, name: str, value: str) -> str:
        if _is_remote_picture(tag, name, value):
            found.append(value)
        return value

    _clean(html, note)
    return bool(found)


def _is_remote_picture(tag: str, name: str, value: str) -> bool:
    return (tag, name) == ("img", "src") and not value.startswith(f"{settings().public_url}/")


def _clean(html: str, filter_attribute: Callable[[str, str, str], str | None]) -> str:
    return nh3.clean(
        html,
        attributes=_ATTRIBUTES,
        attribute_filter=filter_attribute,
        filter_style_properties=_PROPERTIES,
        url_schemes={"http", "https", "mailto", "tel"},
        url_relative="deny",
    ).strip()


def _read_setting(session: Session, which: ReminderType) -> EmailReminderSetting | None:
    return session.exec(select(EmailReminderSetting).where(EmailReminderSetting.reminder_type == which)).first()
