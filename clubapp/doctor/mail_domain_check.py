"""Check of the records of the sender's domain by which relays tell our mail from a forgery: SPF, DKIM, DMARC."""

from email.utils import getaddresses
from urllib.parse import urlsplit

import dns.resolver
from dns.exception import DNSException

from clubapp.doctor.check import CheckProblem, Level
from clubapp.settings import Settings

_RESERVED = ("example", "test", "invalid", "localhost")  # nobody's (RFC 2606)
MEND = "écrivez-les chez qui tient ce domaine\u00a0: docs/operations.md les donne pour les hébergeurs courants"


class _NoResolver(Exception):
    """No resolver answers from this machine."""


def check_mail_domain(chosen: Settings, seconds: float) -> str:
    """Which of the three records there are. DKIM's own name is the relay's secret: whether there is any is asked."""
    domain = getaddresses([chosen.mail_from])[0][1].rpartition("@")[2]
    if not chosen.is_public or not chosen.smtp_url or domain.rpartition(".")[2] in _RESERVED:
        return "sans objet"
    try:
        senders = [one for one in _texts(domain, seconds) if one.lower().startswith("v=spf1")]
        missing = [] if senders else ["SPF"]
        if not _exists(f"_domainkey.{domain}", seconds):
            missing.append("DKIM")
        if not any(one.lower().startswith("v=dmarc1") for name in _up(domain) for one in _texts(name, seconds)):
            missing.append("DMARC")
    except _NoResolver:
        return "ne se vérifie pas d’ici (aucun serveur DNS ne répond)"
    if len(senders) > 1:
        raise CheckProblem(f"{domain} a {len(senders)} SPF, qui s’annulent", "n’en gardez qu’un", Level.WARNING)
    if missing:
        raise CheckProblem(
            f"{domain} n’a pas de {', '.join(missing)}\u00a0: ses e-mails passent pour suspects", MEND, Level.WARNING
        )
    return f"{domain} a SPF, DKIM et DMARC\u00a0; le serveur d’envoi est {urlsplit(chosen.smtp_url).hostname}"


def _up(domain: str) -> list[str]:
    """The names at which a policy of a domain may stand: its own, and those of the domains above it."""
    parts = domain.split(".")
    return [f"_dmarc.{'.'.join(parts[number:])}" for number in range(max(1, len(parts) - 1))]


def _texts(name: str, seconds: float) -> list[str]:
    try:
        found = dns.resolver.resolve(name, "TXT", lifetime=seconds)
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
        return []
    except (DNSException, OSError):
        raise _NoResolver from None
    return [b"".join(one.strings).decode(errors="replace") for one in found]


def _exists(name: str, seconds: float) -> bool:
    """Whether anything stands at a name or below it (RFC 8020)."""
    try:
        dns.resolver.resolve(name, "TXT", lifetime=seconds)
    except dns.resolver.NXDOMAIN:
        return False
    except dns.resolver.NoAnswer:
        return True
    except (DNSException, OSError):
        raise _NoResolver from None
    return True
