"""Check of the mail relay: connects, encrypts and signs in as delivery does, without sending."""

import smtplib
import ssl
from urllib.parse import unquote, urlsplit

from clubapp.doctor.check import CheckProblem
from clubapp.infra.error_causes import describe_cause
from clubapp.mail.transport.smtp import HUNG_UP, NO_SIGN_IN, PORTS, describe_refusal


def check_relay(url: str, patience_seconds: int) -> str:
    """Check the relay; return a French text with its address.

    Raises:
        CheckProblem: naming the step that failed.
    """
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or PORTS[parts.scheme]
    tls, step = ssl.create_default_context(), "connexion"
    try:
        with _opened(parts.scheme, host, port, tls, patience_seconds) as relay:
            if parts.scheme == "smtp+starttls":
                step = "chiffrement"
                relay.starttls(context=tls)
            if parts.username:
                step = "identification"
                relay.login(unquote(parts.username), unquote(parts.password or ""))
            relay.noop()
    except (OSError, smtplib.SMTPException) as error:
        raise CheckProblem(f"{host}:{port}, {step}\u00a0: {_why(error)}", "vérifiez CLUB_SMTP_URL") from None
    secured = "" if parts.scheme == "smtp" else ", chiffré"
    return f"{host}:{port} répond{secured}{', identifié' if parts.username else ''}"


def _opened(scheme: str, host: str, port: int, tls: ssl.SSLContext, seconds: int) -> smtplib.SMTP:
    if scheme == "smtps":
        return smtplib.SMTP_SSL(host, port, timeout=seconds, context=tls)
    return smtplib.SMTP(host, port, timeout=seconds)


def _why(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPServerDisconnected):
        return HUNG_UP
    if isinstance(error, smtplib.SMTPResponseException):
        said = error.smtp_error
        lines = said.decode(errors="replace") if isinstance(said, bytes) else said
        return describe_refusal(
            error.smtp_code, " ".join(lines.split()), of_sign_in=isinstance(error, smtplib.SMTPAuthenticationError)
        )
    return NO_SIGN_IN if "No suitable authentication" in str(error) else describe_cause(error)
