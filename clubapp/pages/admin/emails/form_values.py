"""What the forms of this screen show beside their fields."""

from dataclasses import dataclass, fields


@dataclass(frozen=True)
class Failure:
    """Why saving failed, and what to do next; empty while all is well."""

    title: str = ""
    text: str = ""


@dataclass(frozen=True)
class TemplateErrors:
    """The sentence beside each field of the templates."""

    email_subject: str = ""
    email_template: str = ""
    reminder_1_subject: str = ""
    reminder_1_template: str = ""
    reminder_2_subject: str = ""
    reminder_2_template: str = ""


@dataclass(frozen=True)
class BroadcastErrors:
    """The sentence beside each field of a broadcast."""

    subject: str = ""
    content: str = ""


@dataclass(frozen=True)
class SignatureErrors:
    """The sentence beside each field of the signature."""

    sender_name: str = ""
    sender_role: str = ""
    company_name: str = ""
    phone: str = ""
    mobile: str = ""
    address: str = ""
    website: str = ""
    custom_html: str = ""


def known_errors(errors: dict[str, str], kind: type) -> dict[str, str]:
    """Those of a refusal's sentences that the fields of a form can show."""
    names = {each.name for each in fields(kind)}
    return {name: text for name, text in errors.items() if name in names}
