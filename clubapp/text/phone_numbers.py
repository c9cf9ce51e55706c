"""Telephone numbers as people type them: how they are written, and how they are dialled (RFC 3966)."""

import phonenumbers
from phonenumbers import PhoneNumberFormat

_HOME_COUNTRY = "FR"


def format_phone(text: str) -> str:
    """'03 20 55 55 01'; a foreign number keeps its country code, and what is no number stays as typed."""
    number = _parsed(text)
    if number is None:
        return text.strip()
    at_home = number.country_code == phonenumbers.country_code_for_region(_HOME_COUNTRY)
    wanted = PhoneNumberFormat.NATIONAL if at_home else PhoneNumberFormat.INTERNATIONAL
    return phonenumbers.format_number(number, wanted)


def tel_link(text: str) -> str:
    """'tel:+33320555501', or nothing when the text is no number that can be called."""
    number = _parsed(text)
    return "" if number is None else f"tel:{phonenumbers.format_number(number, PhoneNumberFormat.E164)}"


def _parsed(text: str) -> phonenumbers.PhoneNumber | None:
    try:
        number = phonenumbers.parse(text, _HOME_COUNTRY)
    except phonenumbers.NumberParseException:
        return None
    return number if phonenumbers.is_possible_number(number) else None
