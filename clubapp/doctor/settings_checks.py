"""Checks of what an installation has set: values of the fictional club, misspelt names, proxies, owners, backups."""

import os
import pwd
from ipaddress import ip_network
from pathlib import Path

from sqlalchemy import text

from clubapp import clock
from clubapp.database import reading
from clubapp.doctor.check import CheckProblem, Level
from clubapp.services import backups
from clubapp.settings import Settings, find_unknown_names

WIDEST_NETWORK = 8
COPIED_WITHIN_HOURS = 50  # a daily copy that failed once


def check_settings(chosen: Settings) -> str:
    """What is set, beyond the values themselves, which the start checks. What stops the start is told first."""
    if chosen.is_public and not chosen.demo:
        _check_what_stops(chosen)
    _check_names()
    if not chosen.is_public:
        return f"adresse publique {chosen.public_url}"
    if chosen.demo:
        raise CheckProblem(f"CLUB_DEMO vaut 1 à l’adresse {chosen.public_url}", "mettez CLUB_DEMO à 0", Level.WARNING)
    if not chosen.uses_https:
        raise CheckProblem(
            f"{chosen.public_url} est sans HTTPS\u00a0: les sessions y voyagent en clair",
            "servez le site en HTTPS et corrigez CLUB_PUBLIC_URL",
            Level.WARNING,
        )
    if not chosen.trusted_proxies:
        raise CheckProblem(
            "aucun proxy de confiance\u00a0: les visiteurs ne sont pas distingués les uns des autres",
            "donnez à CLUB_TRUSTED_PROXIES l’adresse du proxy, 127.0.0.1 sur la même machine",
            Level.WARNING,
        )
    return f"adresse publique {chosen.public_url}"


def _check_what_stops(chosen: Settings) -> None:
    if chosen.demo_values:
        raise CheckProblem(
            f"encore du club de démonstration\u00a0: {', '.join(chosen.demo_values)}",
            "écrivez les vôtres dans .env\u00a0; le site ne démarre plus sans eux",
        )
    wide = [one for one in chosen.trusted_proxies.split(",") if one and ip_network(one).prefixlen < WIDEST_NETWORK]
    if wide:
        raise CheckProblem(
            f"CLUB_TRUSTED_PROXIES croit {', '.join(wide)}\u00a0: chacun peut s’y dire un autre visiteur",
            "n’y mettez que l’adresse du proxy, 127.0.0.1 sur la même machine",
        )


def _check_names() -> None:
    if unknown := find_unknown_names():
        told = [f"{name} (vouliez-vous dire {near}\u00a0?)" if near else name for name, near in unknown]
        raise CheckProblem(
            f"sans effet, car aucun réglage ne s’appelle ainsi\u00a0: {', '.join(told)}",
            "corrigez le nom dans .env ou l’environnement",
            Level.WARNING,
        )


def check_database_owner(chosen: Settings) -> str:
    """Whether the database belongs to the account of this process, which otherwise fails at a write or a migration."""
    owner, me = _owners_of_file(chosen) if chosen.uses_sqlite else _owners_of_tables()
    if owner != me:
        raise CheckProblem(
            f"la base appartient à {owner}, ce programme tourne sous le compte {me}",
            f"lancez chaque commande sous le compte {owner}, ou rendez-lui ce qui lui manque",
            Level.WARNING,
        )
    return f"la base appartient à {owner}, comme ce programme"


def _owners_of_file(chosen: Settings) -> tuple[str, str]:
    file = Path(chosen.database_url.removeprefix("sqlite:///"))
    return _name_account(file.stat().st_uid), _name_account(os.geteuid())


def _name_account(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:  # as in a container
        return str(uid)


def _owners_of_tables() -> tuple[str, str]:
    query = (
        "SELECT tableowner, current_user FROM pg_tables"
        " WHERE tablename = 'alembic_version' AND schemaname = ANY(current_schemas(FALSE))"
    )
    with reading() as session:
        row = session.connection().execute(text(query)).first()
    return (str(row[0]), str(row[1])) if row else ("", "")


def check_backups(chosen: Settings) -> str:
    """The state of the daily backups, and whether they survive the disk of the data."""
    if chosen.backup_dir is None:
        raise CheckProblem(
            "aucune n’est programmée",
            "nommez un dossier dans CLUB_BACKUP_DIR, de préférence sur un autre disque",
            Level.WARNING,
        )
    try:
        told = backups.describe_state(chosen)
    except backups.BackupProblem as error:
        told, _, mend = str(error).partition("\u00a0: ")
        raise CheckProblem(told, mend) from None
    copied = backups.read_copied_at(chosen.backup_dir)
    if copied and (clock.now() - copied).total_seconds() < COPIED_WITHIN_HOURS * 3600:
        return f"{told}\u00a0; copiées ailleurs le {clock.short_date(copied)}"
    if chosen.backup_dir.stat().st_dev == chosen.data_dir.stat().st_dev:
        raise CheckProblem(
            f"{told}\u00a0; sur le même disque que les données, avec lequel elles seraient perdues",
            "copiez-les ailleurs chaque jour, par exemple avec deploy/copy-backups.sh",
            Level.WARNING,
        )
    return told
