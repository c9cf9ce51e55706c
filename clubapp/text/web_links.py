"""Web addresses as people type them: only http and https become a link (W9)."""

import re
from urllib.parse import quote, urlencode, urlsplit, urlunsplit

_NO_SCHEME = re.compile(r"(?!\w+:(?!\d))[\w-]+(\.[\w-]+)+(:\d+)?([/?#].*)?", re.DOTALL)
_UNSAFE = re.compile(r"[\x00-\x20\x7f\\<>\"'`^{|}]")

_MAP = "https://www.openstreetmap.org/search"


def web_address(text: str) -> str:
    """The address to link to; 'www.club.fr' gets https. Empty when the text is no http or https address."""
    address = text.strip()
    if _NO_SCHEME.fullmatch(address):
        address = f"https://{address}"
    try:
        parts = urlsplit(address)
        is_web = parts.scheme in ("http", "https") and "." in (parts.hostname or "") and not parts.username
        _ = parts.port  # raises ValueError when it is no number
    except ValueError:
        return ""
    if not is_web or _UNSAFE.search(address):
        return ""
    return urlunsplit(parts)


def format_web_address(address: str) -> str:
    """An address as a page shows it: 'club.fr' for 'https://www.club.fr/'."""
    parts = urlsplit(address)
    return (parts.netloc.removeprefix("www.") + parts.path).rstrip("/")


def map_link(place: str) -> str:
    """The page of a map where a place is searched for."""
    return f"{_MAP}?{urlencode({'query': place})}"


def mail_to(address: str, subject: str = "") -> str:
    """'mailto:marie@durand.example', or an empty text without an address (RFC 6068)."""
    if not address:
        return ""
    return f"mailto:{quote(address, safe='@')}" + (f"?subject={quote(subject, safe='')}" if subject else "")
