"""Telephone numbers as people type them: their printed form, and their tel: link (RFC 3966)."""

from functools import lru_cache

import phonenumbers
from phonenumbers import PhoneNumberFormat

_HOME_COUNTRY = "FR"


@lru_cache(maxsize=1024)
def format_phone(text: str) -> str:
    """'03 20 55 55 01'; a foreign number has its country code, and a text that is no number is only trimmed."""
    number = _parse(text)
    if number is None:
        return text.strip()
    is_domestic = number.country_code == phonenumbers.country_code_for_region(_HOME_COUNTRY)
    number_format = PhoneNumberFormat.NATIONAL if is_domestic else PhoneNumberFormat.INTERNATIONAL
    return phonenumbers.format_number(number, number_format)


@lru_cache(maxsize=1024)
def tel_link(text: str) -> str:
    """'tel:+33320555501', or an empty text when the text is no number that can be called."""
    number = _parse(text)
    return "" if number is None else f"tel:{phonenumbers.format_number(number, PhoneNumberFormat.E164)}"


@lru_cache(maxsize=1024)
def _parse(text: str) -> phonenumbers.PhoneNumber | None:
    try:
        number = phonenumbers.parse(text, _HOME_COUNTRY)
    except phonenumbers.NumberParseException:
        return None
    return number if phonenumbers.is_possible_number(number) else None
