"""Checks of an installation: settings, key, database, schema, storage, Redis, relay, clock, backups.

Some take seconds when a server does not answer.
"""

import os
import shutil
import tempfile
import time
from collections.abc import Generator
from datetime import datetime, timedelta

from sqlalchemy import text

from clubapp import VERSION, clock, migrations, routes
from clubapp.database import MISSING_FILE, reading
from clubapp.doctor.act_chain_check import ChainCheck
from clubapp.doctor.certificate_check import check_certificate
from clubapp.doctor.check import Check, CheckProblem, Level, run_check
from clubapp.doctor.mail_domain_check import check_mail_domain
from clubapp.doctor.relay_check import check_relay
from clubapp.doctor.settings_checks import check_backups, check_database_owner, check_settings
from clubapp.doctor.websocket_check import check_websocket
from clubapp.infra import image_store
from clubapp.infra.error_causes import describe_cause
from clubapp.services.access import administrators, sign_in_limits
from clubapp.services.base.actors import SYSTEM
from clubapp.services.monitoring import health_alerts, metrics
from clubapp.services.privacy import rights_requests
from clubapp.settings import Settings, SettingsError, settings

PATIENCE_SECONDS = 5
MANY_WRONG_CODES = 200
SLOW_MS = 1000
LITTLE_SPACE, TOO_LITTLE_SPACE = 1_000_000_000, 100_000_000
SKEW, AHEAD = timedelta(seconds=30), timedelta(minutes=2)
LEAPT = "d’un coup plus d’un jour en avance\u00a0: seuls les e-mails de connexion partent, rien ne s’efface"
SET_THE_CLOCK = "réglez l’horloge de la machine, par exemple par «\u00a0timedatectl set-ntp true\u00a0»"


def run_installation_checks(acts: ChainCheck | None = None) -> Generator[Check, None, bool]:
    """Run the checks in the order of their dependencies. The generator returns whether the database can be read.

    Whoever looks again and again gives the same `acts`; without it, the whole journal of acts is read.
    """
    try:
        chosen = settings()
    except SettingsError as error:
        yield Check(
            "réglages", Level.FAILED, "; ".join(str(error).splitlines()), "corrigez-le dans .env ou l’environnement"
        )
        return False
    yield Check("version", Level.OK, VERSION)
    yield run_check("réglages", check_settings, chosen)
    yield run_check("clé de signature", _key, chosen)
    yield (database := run_check("base de données", _database, chosen))
    is_readable = database.level is not Level.FAILED
    if is_readable:
        yield (schema := run_check("schéma", _schema))
        is_readable = schema.level is Level.OK
    if is_readable:
        yield run_check("compte de la base", check_database_owner, chosen)
        yield run_check("administration", _administration)
        yield run_check("double vérification", _second_factors)
        yield run_check("codes de connexion", _sign_in_codes)
        yield run_check("journal des actes", (acts or ChainCheck()).run)
        yield run_check("refus", _refusals)
        yield run_check("demandes sur les données", _rights_requests)
    yield run_check("dossier de données", _storage, chosen)
    yield run_check("images", _media, chosen)
    yield run_check("Redis", _redis, chosen)
    yield run_check("envoi des e-mails", _relay, chosen)
    yield run_check("domaine des e-mails", check_mail_domain, chosen, PATIENCE_SECONDS)
    yield run_check("WebSocket", check_websocket, chosen)
    yield run_check("certificat", check_certificate, chosen, PATIENCE_SECONDS)
    yield run_check("heure", _clock, chosen, is_readable)
    yield run_check("sauvegardes", check_backups, chosen)
    return is_readable


def _key(chosen: Settings) -> str:
    try:
        count = len(chosen.keys)
    except SettingsError as error:
        raise CheckProblem(str(error), "rendez au fichier son contenu") from None
    told = "une clé" if count == 1 else f"{count} clés, la première signe"
    if chosen.secret_key:
        return f"{told} (CLUB_SECRET_KEY)"
    mode = chosen.key_file.stat().st_mode & 0o777
    if mode & 0o077:
        problem = f"{chosen.key_file} est ouverte à d’autres comptes ({mode:o})"
        raise CheckProblem(problem, f"chmod 600 {chosen.key_file}")
    return f"{told} ({chosen.key_file})"


def _database(chosen: Settings) -> str:
    begun = time.perf_counter()
    try:
        with reading() as session:
            session.connection().execute(text("SELECT 1"))
    except Exception as error:  # drivers raise errors of any type
        if MISSING_FILE in str(error):
            raise CheckProblem(
                "le fichier de la base a disparu",
                "remettez-le à sa place, ou «\u00a0migrate\u00a0» pour une base neuve",
            ) from None
        raise CheckProblem(
            f"injoignable ({describe_cause(getattr(error, 'orig', None) or error)})",
            "vérifiez CLUB_DATABASE_URL, et que ce serveur tourne",
        ) from None
    engine = "SQLite" if chosen.uses_sqlite else "PostgreSQL"
    took = max(1, round((time.perf_counter() - begun) * 1000))
    if took > SLOW_MS:
        mend = "voyez ce qui occupe la machine, son disque ou le serveur de la base"
        raise CheckProblem(f"{engine} met {took} ms à répondre", mend, Level.WARNING, alerts=True)
    return f"{engine}, répond en {took} ms"


def _schema() -> str:
    try:
        missing = migrations.describe_pending()
    except migrations.NewerDatabase as error:
        raise CheckProblem(str(error), "installez la version du programme qui l’a faite") from None
    if missing:
        raise CheckProblem(f"à mettre à jour jusqu’à la version {missing}", "lancez «\u00a0migrate\u00a0»")
    return "à jour"


def _administration() -> str:
    with reading() as session:
        if not metrics.has_administrator(session, SYSTEM):
            raise CheckProblem("personne n’administre le club", "lancez «\u00a0admin add ADRESSE\u00a0»", Level.WARNING)
    return "au moins une personne"


def _second_factors() -> str:
    with reading() as session:
        if not metrics.has_administrator(session, SYSTEM):
            return "personne à qui la demander encore"
        without = administrators.count_without_factor(session, SYSTEM)
    if not without:
        return "tous les administrateurs en ont une"
    number = f"{without} administrateurs n’en ont" if without > 1 else "1 administrateur n’en a"
    if settings().admin_second_factor == "required":
        return f"{number} pas encore\u00a0: elle leur sera demandée"
    return f"{number} pas\u00a0; chacun peut en ajouter une dans «\u00a0Mes sessions\u00a0»"


def _sign_in_codes() -> str:
    with reading() as session:
        wrong = sign_in_limits.count_wrong_codes(session)
    if wrong >= MANY_WRONG_CODES:
        mend = (
            "quelqu’un essaie peut-être d’en deviner\u00a0: les liens restent sûrs, prévenez les personnes concernées"
        )
        raise CheckProblem(f"{wrong} codes erronés en 24 heures", mend, Level.WARNING, alerts=True)
    return "peu de codes erronés"


def _refusals() -> str:
    with reading() as session:
        count = health_alerts.count_refusals(session)
    if count >= health_alerts.MANY_REFUSALS:
        mend = "voyez le journal des actes\u00a0; si cela dure, bloquez l’adresse dans votre proxy"
        raise CheckProblem(f"{count} en une heure", mend, Level.WARNING, page=routes.ADMIN_ACTS, alerts=True)
    return f"{count} en une heure"


def _rights_requests() -> str:
    with reading() as session:
        late = rights_requests.count_late(session, SYSTEM)
    if late:
        text = f"{late} attendent depuis plus d’un mois" if late > 1 else "1 attend depuis plus d’un mois"
        mend = "répondez\u00a0: la loi laisse un mois"
        raise CheckProblem(text, mend, Level.WARNING, page=routes.ADMIN_REQUESTS, alerts=True)
    return "aucune en retard"


def _storage(chosen: Settings) -> str:
    folder = chosen.data_dir
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"\0" * 4096)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise CheckProblem(
            f"rien ne s’écrit dans {folder} ({describe_cause(error)})", "libérez de la place, ou corrigez ses droits"
        ) from None
    free = shutil.disk_usage(folder).free
    if free < LITTLE_SPACE:
        level = Level.FAILED if free < TOO_LITTLE_SPACE else Level.WARNING
        raise CheckProblem(
            f"plus que {free // 1_000_000} Mo libres dans {folder}", "libérez de la place", level, alerts=True
        )
    return f"{free / 1_000_000_000:.1f} Go libres dans {folder}".replace(".", ",", 1)


def _media(chosen: Settings) -> str:
    try:
        image_store.check_store()
    except Exception as error:  # stores raise errors of any type
        raise CheckProblem(
            f"{chosen.media_url} ne répond pas ({describe_cause(error)})", "vérifiez CLUB_MEDIA_URL et AWS_*"
        ) from None
    kept = chosen.media_url.removeprefix("file://")
    return f"gardées dans {kept}"


def _redis(chosen: Settings) -> str:
    if not chosen.redis_url:
        return "non utilisé (un seul processus)"
    if problem := redis_problem(chosen.redis_url):
        raise CheckProblem(f"injoignable ({problem})", "vérifiez CLUB_REDIS_URL, et que Redis tourne")
    return "répond"


def redis_problem(url: str) -> str:
    """Why Redis does not answer; empty when it does."""
    from redis import Redis, RedisError

    try:
        Redis.from_url(url, socket_connect_timeout=PATIENCE_SECONDS, socket_timeout=PATIENCE_SECONDS).ping()
    except (RedisError, ValueError, OSError) as error:
        return describe_cause(error)
    return ""


def _relay(chosen: Settings) -> str:
    if chosen.smtp_url:
        return check_relay(chosen.smtp_url, PATIENCE_SECONDS, is_public=chosen.is_public)
    kept = f"aucun serveur\u00a0: chaque message est gardé dans {chosen.data_dir / 'mail'}"
    if chosen.is_public:
        raise CheckProblem(kept, "indiquez votre serveur d’envoi dans CLUB_SMTP_URL", Level.WARNING)
    return kept


def _clock(chosen: Settings, is_readable: bool) -> str:
    now = clock.now()
    if not clock.is_plausible():
        mend = f"{SET_THE_CLOCK}\u00a0; si elle est juste, redémarrez le serveur"
        raise CheckProblem(f"{clock.short_date(now)}, {LEAPT}", mend)
    if is_readable:
        with reading() as session:
            _compare(now, metrics.find_newest_instant(session, SYSTEM), metrics.read_database_clock(session, SYSTEM))
    return f"{clock.long_date(now)} ({chosen.timezone})"


def _compare(now: datetime, newest: datetime | None, elsewhere: datetime | None) -> None:
    if elsewhere and abs(elsewhere - now) > SKEW:
        raise CheckProblem(
            f"{clock.short_date(now)} ici, {clock.short_date(elsewhere)} sur le serveur de la base", SET_THE_CLOCK
        )
    if newest and newest > now + AHEAD:
        raise CheckProblem(
            f"{clock.short_date(now)}, alors que la base connaît déjà le {clock.short_date(newest)}", SET_THE_CLOCK
        )
