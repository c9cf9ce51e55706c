"""E-mail addresses, normalised once (S7)."""

from email_validator import EmailNotValidError, validate_email

from clubapp.refusals import Invalid

INVALID = "Indiquez une adresse e-mail valide, par exemple prenom@entreprise.fr."


def normalise(text: str, *, field: str = "email") -> str:
    """Trimmed, lower case, domain in its international form.

    Raises:
        Invalid: when the text is not an e-mail address.
    """
    try:
        # Reserved names such as .example are what demonstrations and tests use. What stands before the @ is ASCII:
        # few relays take anything else, and a mail that cannot leave must not be promised.
        found = validate_email(text.strip(), check_deliverability=False, test_environment=True, allow_smtputf8=False)
    except EmailNotValidError:
        raise Invalid(INVALID, field=field) from None
    return (found.ascii_email or found.normalized).lower()


def mask_address(address: str) -> str:
    """'ma•••@entreprise.fr': enough to recognise one's own, not enough to learn another's."""
    local, _, domain = address.partition("@")
    return f"{local[:2]}•••@{domain}"
