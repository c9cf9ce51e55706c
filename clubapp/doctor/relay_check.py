"""Check of the mail relay: connects, encrypts and signs in as delivery does, without sending."""

import re
import smtplib
import ssl
from urllib.parse import unquote, urlsplit

from clubapp.doctor.check import CheckProblem, Level
from clubapp.infra.error_causes import describe_cause
from clubapp.mail.transport.smtp import HUNG_UP, NO_SIGN_IN, PORTS, describe_refusal

GREETS = 220
# Programs that keep every mail for developers to read, by the words in their greeting or their address.
_CATCHERS = re.compile(
    r"mailpit|mailhog|mailcatcher|eventmachine|smtp4dev|mailtrap|maildev|inbucket|greenmail|fakesmtp|ethereal\.email",
    re.I,
)


def check_relay(url: str, patience_seconds: int, *, is_public: bool = False) -> str:
    """Check the relay; return a French text with its address. At a public address it must not be a catcher.

    Raises:
        CheckProblem: naming the step that failed.
    """
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or PORTS[parts.scheme]
    tls, step = ssl.create_default_context(), "connexion"
    try:
        with _make(parts.scheme, tls, patience_seconds) as relay:
            greeting = _connect(relay, host, port)
            relay.ehlo_or_helo_if_needed()
            if parts.scheme == "smtp+starttls":
                step = "chiffrement"
                relay.starttls(context=tls)
            if parts.username:
                step = "identification"
                relay.login(unquote(parts.username), unquote(parts.password or ""))
            relay.noop()
            is_catcher = _CATCHERS.search(f"{host} {_decode(relay.ehlo_resp)} {_decode(greeting)}") is not None
    except (OSError, smtplib.SMTPException) as error:
        raise CheckProblem(f"le relais {host}:{port}, {step}\u00a0: {_why(error)}", "vérifiez CLUB_SMTP_URL") from None
    if is_catcher and is_public:
        raise CheckProblem(
            f"le relais {host}:{port} attrape les e-mails sans les remettre\u00a0: personne n’en reçoit",
            "indiquez votre serveur d’envoi dans CLUB_SMTP_URL",
            Level.WARNING,
        )
    secured = "" if parts.scheme == "smtp" else ", chiffré"
    return f"le relais {host}:{port} répond{secured}{', identifié' if parts.username else ''}"


def _make(scheme: str, tls: ssl.SSLContext, seconds: int) -> smtplib.SMTP:
    return smtplib.SMTP_SSL(timeout=seconds, context=tls) if scheme == "smtps" else smtplib.SMTP(timeout=seconds)


def _connect(relay: smtplib.SMTP, host: str, port: int) -> bytes:
    """Connect as the constructor of `smtplib.SMTP` does, which does not return the greeting.

    Raises:
        SMTPConnectError: when the relay greets with a refusal.
    """
    relay._host = host  # pyright: ignore[reportAttributeAccessIssue] - the name that TLS verifies
    code, greeting = relay.connect(host, port)
    if code != GREETS:
        raise smtplib.SMTPConnectError(code, greeting)
    return greeting


def _decode(said: bytes | None) -> str:
    return (said or b"").decode(errors="replace")


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
