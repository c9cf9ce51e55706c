"""Why something did not answer, in words for people."""

import smtplib
import socket
import ssl

from clubapp.logs import masked

LONGEST = 300
NOT_ADMITTED = "l'identifiant ou le mot de passe est refusé"

_USUAL: dict[type[BaseException], str] = {
    ConnectionRefusedError: "rien n'écoute à cette adresse",
    TimeoutError: "pas de réponse à temps",
    socket.gaierror: "ce nom de machine est inconnu",
    ssl.SSLCertVerificationError: "son certificat n'est pas reconnu",
    smtplib.SMTPAuthenticationError: NOT_ADMITTED,
    smtplib.SMTPNotSupportedError: "ce serveur n'en propose pas",
}


def reason(error: BaseException) -> str:
    """The reason in one line, without secrets; in French where it is one of the usual causes."""
    cause: BaseException | None = error
    while cause is not None:
        if usual := next((text for kind, text in _USUAL.items() if isinstance(cause, kind)), ""):
            return usual
        cause = cause.__cause__ or cause.__context__
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return masked(lines[0])[:LONGEST]
