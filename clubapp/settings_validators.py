"""How a club is reached, as an installation says it: each value comes back in order, or is refused with the reason."""

from email.utils import getaddresses

from email_validator import EmailNotValidError, validate_email

from clubapp.text import phone_numbers, web_links


def address(value: str) -> str:
    """An e-mail address that people read.

    Raises:
        ValueError: when it is none.
    """
    try:
        return validate_email(value, check_deliverability=False, test_environment=True).normalized
    except EmailNotValidError:
        raise ValueError("adresse e-mail invalide") from None


def of_a_header(value: str) -> str:
    """An e-mail address as every relay takes it in a header: in ASCII.

    Raises:
        ValueError: when it is none, or cannot be written so.
    """
    try:
        found = validate_email(value, check_deliverability=False, test_environment=True, allow_smtputf8=False)
    except EmailNotValidError:
        raise ValueError("adresse e-mail invalide") from None
    return found.ascii_email or found.normalized


def sender(value: str) -> str:
    """A name and an address, or the address alone.

    Raises:
        ValueError: when they cannot stand in a header.
    """
    wrong = ValueError("attendu : un nom et une adresse, comme Cercle du Beffroi <contact@beffroi.example>")
    found = getaddresses([value])
    if len(found) != 1 or not value.isprintable():
        raise wrong
    typed = found[0][1]
    try:
        return value.replace(typed, of_a_header(typed))
    except ValueError:
        raise wrong from None


def phone(value: str) -> str:
    """A telephone number, or nothing.

    Raises:
        ValueError: when it cannot be called.
    """
    if value and not phone_numbers.tel_link(value):
        raise ValueError("attendu : un numéro de téléphone, comme +33353015501")
    return value


def page(value: str) -> str:
    """A page of the web, or nothing.

    Raises:
        ValueError: when it is none.
    """
    found = web_links.web_address(value)
    if value and not found:
        raise ValueError("attendu : une adresse comme https://www.linkedin.com/company/club, ou rien")
    return found
