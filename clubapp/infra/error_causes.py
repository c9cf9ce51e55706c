"""Describes the cause of an error to administrators, in French where it is known."""

import errno
import smtplib
import socket
import ssl

from clubapp.infra.logs import mask

LONGEST = 300
NOT_ADMITTED = "l’identifiant ou le mot de passe est refusé"
CUT = "la liaison a été coupée"

_BY_TYPE: dict[type[BaseException], str] = {
    ConnectionRefusedError: "rien n’écoute à cette adresse",
    ConnectionResetError: CUT,
    ConnectionAbortedError: CUT,
    BrokenPipeError: CUT,
    TimeoutError: "pas de réponse à temps",
    socket.gaierror: "ce nom de machine est inconnu",
    ssl.SSLCertVerificationError: "son certificat n’est pas reconnu",
    ssl.SSLError: "la liaison chiffrée n’a pas pu s’établir",
    smtplib.SMTPNotSupportedError: "ce serveur n’en propose pas",
}
FULL_DISK = "il n’y a plus de place sur le disque"
_SIGNS_OF_A_FULL_DISK = ("No space left on device", "disk is full")  # of an image store or a database
_BY_ERRNO = {
    errno.ENOENT: "ce fichier ou ce dossier n’existe pas",
    errno.EACCES: "l’accès est refusé",
    errno.EPERM: "ce n’est pas permis",
    errno.ENOSPC: FULL_DISK,
    errno.EDQUOT: FULL_DISK,
    errno.EFBIG: "ce fichier serait trop grand",
    errno.EROFS: "ce disque ne peut être que lu",
    errno.EIO: "le disque ne répond pas",
    errno.EISDIR: "c’est un dossier",
    errno.ENOTDIR: "un fichier y tient la place d’un dossier",
    errno.EEXIST: "un fichier y tient la place d’un dossier",
    errno.ENAMETOOLONG: "ce nom est trop long",
    errno.EMFILE: "trop de fichiers sont ouverts",
    errno.EADDRINUSE: "un autre programme y écoute déjà",
    errno.EADDRNOTAVAIL: "cette adresse n’est pas de cette machine",
    errno.ENETUNREACH: "cette machine est hors d’atteinte",
    errno.EHOSTUNREACH: "cette machine est hors d’atteinte",
}


def describe_cause(error: BaseException) -> str:
    """The cause in one line, without secrets: in French for a known type or number, else the error's own first line."""
    cause: BaseException | None = error
    while cause is not None:
        by_type = next((text for kind, text in _BY_TYPE.items() if isinstance(cause, kind)), "")
        if description := by_type or _describe_errno(cause):
            return description
        cause = cause.__cause__ or cause.__context__
    if tells_of_full_disk(error):
        return FULL_DISK
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return mask(lines[0])[:LONGEST]


def tells_of_full_disk(error: BaseException) -> bool:
    """Whether an error of an image store or a database has that cause."""
    return any(sign in str(error) for sign in _SIGNS_OF_A_FULL_DISK)


def _describe_errno(error: BaseException) -> str:
    """The text of an operating system's error, or empty. The numbers of SSLError are OpenSSL's, not errno."""
    if not isinstance(error, OSError) or isinstance(error, ssl.SSLError):
        return ""
    return _BY_ERRNO.get(error.errno or 0, "")
