"""Validators of the settings that say who the club is and how to reach it. Each returns the value normalised."""

import re
import unicodedata
from email.utils import getaddresses
from pathlib import Path

from email_validator import EmailNotValidError, validate_email

from clubapp.text import phone_numbers, web_links

PICTURE_FORMATS = ("PNG", "JPEG", "WEBP")
MOST_PICTURE_BYTES = 5 * 1024 * 1024
LONGEST_NAME, LONGEST_TEXT = 80, 500


def validate_name(value: str) -> str:
    """A name for pages, mails and papers, on one line.

    Raises:
        ValueError: when it has control characters, or more than `LONGEST_NAME`.
    """
    return _validate_text(value, LONGEST_NAME)


def validate_text(value: str) -> str:
    """A sentence or two for pages, mails and papers; on one line, as it is shown.

    Raises:
        ValueError: when it has control characters, or more than `LONGEST_TEXT`.
    """
    return _validate_text(value, LONGEST_TEXT)


def _validate_text(value: str, longest: int) -> str:
    text = re.sub(r"[\t\r\n]+", " ", value).strip(" ")
    if len(text) > longest or any(unicodedata.category(letter) in ("Cc", "Cs") for letter in text):
        raise ValueError(f"attendu\u00a0: au plus {longest} caractères, sans caractère de contrôle")
    return text


def validate_address(value: str) -> str:
    """An e-mail address that pages and mails show; its domain may be written with accents.

    Raises:
        ValueError: when it is none.
    """
    try:
        return validate_email(value, check_deliverability=False, test_environment=True).normalized
    except EmailNotValidError:
        raise ValueError("adresse e-mail invalide") from None


def validate_header_address(value: str) -> str:
    """An e-mail address in ASCII, which every relay accepts in a header.

    Raises:
        ValueError: when it is none, or cannot be written in ASCII.
    """
    try:
        parsed = validate_email(value, check_deliverability=False, test_environment=True, allow_smtputf8=False)
    except EmailNotValidError:
        raise ValueError("adresse e-mail invalide") from None
    return parsed.ascii_email or parsed.normalized


def validate_sender(value: str) -> str:
    """A name and an e-mail address, or the address alone, for the From header.

    Raises:
        ValueError: when they cannot be written in a header.
    """
    error = ValueError("attendu\u00a0: un nom et une adresse, comme Cercle du Beffroi <contact@beffroi.example>")
    senders = getaddresses([value])
    if len(senders) != 1 or not value.isprintable():
        raise error
    address = senders[0][1]
    try:
        return value.replace(address, validate_header_address(address))
    except ValueError:
        raise error from None


def validate_phone(value: str) -> str:
    """A telephone number, or an empty text.

    Raises:
        ValueError: when the number cannot be called.
    """
    if value and not phone_numbers.tel_link(value):
        raise ValueError("attendu\u00a0: un numéro de téléphone, comme +33353015501")
    return value


def validate_rna(value: str) -> str:
    """The number of an association in the RNA, such as W595001234, or an empty text.

    Raises:
        ValueError: when it is none.
    """
    number = "".join(value.split()).upper()
    if number and not re.fullmatch(r"W[0-9][0-9A-Z][0-9]{7}", number):
        raise ValueError("attendu\u00a0: le numéro RNA de l’association, W suivi de 9\u00a0chiffres")
    return number


def validate_siret(value: str) -> str:
    """A SIRET number, 14 digits with their check digit (Luhn), or an empty text.

    Raises:
        ValueError: when it is none.
    """
    number = "".join(value.split())
    if not number:
        return ""
    doubled = [int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(number)) if digit in "0123456789"]
    if len(number) != 14 or len(doubled) != 14 or sum(sum(divmod(each, 10)) for each in doubled) % 10:
        raise ValueError("attendu\u00a0: un numéro SIRET de 14\u00a0chiffres")
    return number


def validate_page(value: str) -> str:
    """The address of a web page, or an empty text.

    Raises:
        ValueError: when it is none.
    """
    address = web_links.web_address(value)
    if value and not address:
        raise ValueError("attendu\u00a0: une adresse comme https://www.linkedin.com/company/club, ou rien")
    return address


def validate_picture(path: Path) -> Path:
    """The absolute path of a PNG, JPEG or WebP file of at most 5 MB that can be read whole.

    Raises:
        ValueError: when it is none.
    """
    from PIL import Image  # imported late: most installations set no picture

    path = path.expanduser().resolve()
    try:
        if path.stat().st_size > MOST_PICTURE_BYTES:
            raise ValueError
        with Image.open(path, formats=PICTURE_FORMATS) as picture:
            picture.load()
    except Exception:
        raise ValueError("attendu\u00a0: le chemin d’une image PNG, JPEG ou WebP, lisible, de 5 Mo au plus") from None
    return path
