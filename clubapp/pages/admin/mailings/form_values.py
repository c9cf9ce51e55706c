"""The errors that the forms of this screen show."""

from dataclasses import dataclass


@dataclass(frozen=True)
class FormFailure:
    """Why saving failed, and what to do next; empty without a failure."""

    title: str = ""
    text: str = ""


@dataclass(frozen=True)
class TemplateErrors:
    """The error beside each field of the templates."""

    email_subject: str = ""
    email_template: str = ""
    reminder_1_subject: str = ""
    reminder_1_template: str = ""
    reminder_2_subject: str = ""
    reminder_2_template: str = ""


@dataclass(frozen=True)
class BroadcastErrors:
    """The error beside each field of a broadcast."""

    audience: str = ""
    subject: str = ""
    content: str = ""


@dataclass(frozen=True)
class SignatureErrors:
    """The error beside each field of the signature."""

    sender_name: str = ""
    sender_role: str = ""
    company_name: str = ""
    phone: str = ""
    mobile: str = ""
    address: str = ""
    website: str = ""
    custom_html: str = ""
