"""Checks an installation: settings, database, storage, Redis, mail, clock. Each line says the mend."""

import os
import smtplib
import ssl
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from sqlalchemy import text

from clubapp import clock, media, migrations
from clubapp.database import reading
from clubapp.mail.relay import PORTS
from clubapp.settings import Settings, SettingsError, settings

PATIENCE_SECONDS = 5


@dataclass(frozen=True)
class Check:
    """One finding: what was looked at, whether it is well, and what was seen or how to mend it."""

    name: str
    ok: bool
    text: str


def checks() -> Iterator[Check]:
    """Every finding, in the order they depend on each other."""
    try:
        chosen = settings()
    except SettingsError as error:
        yield Check("réglages", False, str(error))
        return
    yield Check("réglages", True, f"adresse publique {chosen.public_url}")
    looks: dict[str, Callable[[Settings], str]] = {
        "base de données": _database,
        "dossier de données": _storage,
        "images": _media,
        "Redis": _redis,
        "envoi des e-mails": _smtp,
        "heure": _time,
    }
    for name, look in looks.items():
        yield _tried(name, look, chosen)


def _tried(name: str, look: Callable[[Settings], str], chosen: Settings) -> Check:
    try:
        return Check(name, True, look(chosen))
    except Exception as error:  # the check tells it
        reason = str(error).strip().splitlines() or [type(error).__name__]
        return Check(name, False, reason[0])


def _database(chosen: Settings) -> str:
    with reading() as session:
        session.connection().execute(text("SELECT 1"))
    if pending := migrations.pending():
        raise RuntimeError(f"schéma à mettre à jour ({pending}) : lancez « migrate »")
    return "SQLite, à jour" if chosen.uses_sqlite else "PostgreSQL, à jour"


def _storage(chosen: Settings) -> str:
    folder: Path = chosen.data_dir
    folder.mkdir(parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK):
        raise PermissionError(f"{folder} n'est pas accessible en écriture : changez CLUB_DATA_DIR ou ses droits")
    return str(folder)


def _media(chosen: Settings) -> str:
    try:
        media.check()
    except Exception as error:  # the check tells it
        reason = str(error).strip().splitlines()[0]
        raise ConnectionError(
            f"{chosen.media_url} ne répond pas ({reason}) : vérifiez CLUB_MEDIA_URL et AWS_*"
        ) from None
    return chosen.media_url


def _redis(chosen: Settings) -> str:
    if not chosen.redis_url:
        return "non utilisé (un seul processus)"
    if problem := redis_problem(chosen.redis_url):
        raise ConnectionError(f"injoignable ({problem}) : vérifiez CLUB_REDIS_URL")
    return "répond"


def redis_problem(url: str) -> str:
    """Why Redis does not answer, or an empty text."""
    from redis import Redis, RedisError

    try:
        Redis.from_url(url, socket_connect_timeout=PATIENCE_SECONDS).ping()
    except (RedisError, ValueError) as error:
        return str(error)
    return ""


def _smtp(chosen: Settings) -> str:
    """Connect, encrypt and sign in, as delivery does, without sending anything."""
    if not chosen.smtp_url:
        return f"aucun serveur : chaque message est gardé dans {chosen.data_dir / 'mail'}"
    parts = urlsplit(chosen.smtp_url)
    host, port = parts.hostname or "", parts.port or PORTS[parts.scheme]
    tls, step = ssl.create_default_context(), "connexion"
    try:
        with _opened(parts.scheme, host, port, tls) as relay:
            if parts.scheme == "smtp+starttls":
                step = "chiffrement"
                relay.starttls(context=tls)
            if parts.username:
                step = "identification"
                relay.login(unquote(parts.username), unquote(parts.password or ""))
            relay.noop()
    except (OSError, smtplib.SMTPException) as error:
        raise ConnectionError(f"{host}:{port}, {step} : {error} ; vérifiez CLUB_SMTP_URL") from None
    secured = "" if parts.scheme == "smtp" else ", chiffré"
    return f"{host}:{port} répond{secured}{', identifié' if parts.username else ''}"


def _opened(scheme: str, host: str, port: int, tls: ssl.SSLContext) -> smtplib.SMTP:
    if scheme == "smtps":
        return smtplib.SMTP_SSL(host, port, timeout=PATIENCE_SECONDS, context=tls)
    return smtplib.SMTP(host, port, timeout=PATIENCE_SECONDS)


def _time(chosen: Settings) -> str:
    return f"{clock.long_date(clock.now())} ({chosen.timezone})"
