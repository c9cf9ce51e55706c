"""The one form in which e-mail addresses are stored and compared (S7)."""

import re

from email_validator import EmailNotValidError, validate_email

from clubapp.refusals import Invalid

_BREAKS = re.compile(r"(?<=\.)|(?=@)")
INVALID = "Indiquez une adresse e-mail valide, par exemple prenom@entreprise.fr."


def normalise(text: str, *, field: str = "email") -> str:
    """The address trimmed, in lower case and ASCII, with its domain in IDNA.

    Raises:
        Invalid: with `field`, when the text is not an e-mail address.
    """
    try:
        # `test_environment` allows the reserved domain .test. The part before the @ must be ASCII, because few
        # relays accept anything else.
        parsed = validate_email(text.strip(), check_deliverability=False, test_environment=True, allow_smtputf8=False)
    except EmailNotValidError:
        raise Invalid(INVALID, field=field) from None
    return (parsed.ascii_email or parsed.normalized).lower()


def split_address(address: str) -> list[str]:
    """The parts of an address between which a line may break: 'marie.', 'durand', '@club.', 'example'."""
    return [part for part in _BREAKS.split(address) if part]


def mask_address(address: str) -> str:
    """'ma•••@entreprise.fr': recognisable for its owner, of no use to others."""
    local, _, domain = address.partition("@")
    return f"{local[:2]}•••@{domain}"
