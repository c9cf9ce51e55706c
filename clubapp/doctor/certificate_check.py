"""The check of the certificate with which the public address is served."""

import socket
import ssl
from urllib.parse import urlsplit

from clubapp import clock
from clubapp.doctor.check import CheckProblem, Level
from clubapp.infra.error_causes import describe_cause
from clubapp.settings import LOOPBACK, Settings

CERTIFICATE_DAYS = 14
RENEW = "renouvelez-le, ou voyez pourquoi votre proxy ne le fait pas"


def check_certificate(chosen: Settings, seconds: float) -> str:
    """The days that the certificate of the public address lasts, where this machine can reach it."""
    place = urlsplit(chosen.public_url)
    if place.scheme != "https" or not place.hostname or place.hostname in LOOPBACK:
        return "sans objet"
    try:
        with (
            socket.create_connection((place.hostname, place.port or 443), seconds) as plain,
            ssl.create_default_context().wrap_socket(plain, server_hostname=place.hostname) as secured,
        ):
            found = secured.getpeercert() or {}
    except ssl.SSLCertVerificationError as error:
        raise CheckProblem(f"refusé par les navigateurs ({error.verify_message})", RENEW) from None
    except OSError as error:
        return f"ne se vérifie pas d’ici ({describe_cause(error)})"
    days = int((ssl.cert_time_to_seconds(str(found["notAfter"])) - clock.now().timestamp()) // 86_400)
    if days < CERTIFICATE_DAYS:
        when = "aujourd’hui ou demain" if days < 1 else f"dans {days} jour{'s' if days > 1 else ''}"
        raise CheckProblem(f"expire {when}", RENEW, Level.WARNING, alerts=True)
    return f"encore valable {days} jours"
