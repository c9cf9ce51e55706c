"""Commands about the installation: serve, build, demo, doctor."""

import gc
import os
import socket
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from clubapp import VERSION
from clubapp.commands.acts import record_command
from clubapp.commands.error_lines import Failure
from clubapp.commands.schema import bring_up_to_date
from clubapp.infra.error_causes import describe_cause

DEMO_VALUE = "vaut encore ce qu’il vaut au club de démonstration\u00a0; écrivez le vôtre, le site est public"

if TYPE_CHECKING:
    from clubapp.settings import Settings


def serve(
    host: Annotated[str | None, typer.Option(help="Adresse d’écoute (CLUB_HOST).")] = None,
    port: Annotated[int | None, typer.Option(min=1, max=65535, help="Port d’écoute (CLUB_PORT).")] = None,
    workers: Annotated[int | None, typer.Option(min=1, max=64, help="Processus (CLUB_WORKERS).")] = None,
) -> None:
    """Migre la base, compile l’interface si besoin, puis sert le site."""
    gc.disable()  # as in clubapp.py while it is imported
    _choose(CLUB_HOST=host, CLUB_PORT=port, CLUB_WORKERS=workers)
    from sqlalchemy.exc import SQLAlchemyError

    from clubapp.infra import server_lock
    from clubapp.settings import settings

    chosen = settings()
    _refuse_demo_values(chosen)
    _check_port(chosen.host, chosen.port)
    _check_redis(chosen.redis_url)
    _ = chosen.keys  # an invalid key stops the start
    server_lock.hold()
    bring_up_to_date()
    with suppress(SQLAlchemyError):  # a full disk does not keep the site away
        record_command("serve", version=VERSION)
    is_new = chosen.demo and _is_empty()
    if is_new:
        _load_demo()
    was_compiled = _build()
    from clubapp.commands.startup_message import welcome
    from clubapp.serving import server

    _choose(CLUB_LOG_FORMAT=chosen.log_format, CLUB_DATA_DIR=chosen.data_dir)
    told = welcome(chosen) if chosen.log_format == "console" else ""
    server.serve(chosen.host, chosen.port, chosen.workers, told, afresh=is_new or was_compiled)


def build() -> None:
    """Compile l’interface si ses sources ont changé."""
    _build()


def _build() -> bool:
    """Compile the front end unless it is current; return whether it was done."""
    from clubapp import frontend_build

    if frontend_build.is_current():
        return False
    typer.echo("Compilation de l’interface, environ 30 secondes…")
    frontend_build.build()
    return True


def demo(
    members: Annotated[int, typer.Option(min=0, max=5000, help="Nombre de membres.")] = 60,
    companies: Annotated[int, typer.Option(min=1, max=2000, help="Nombre d’entreprises.")] = 45,
    events: Annotated[int, typer.Option(min=0, max=120, help="Nombre d’événements.")] = 14,
    seed: Annotated[int, typer.Option(help="Même graine, même club.")] = 1,
) -> None:
    """Charge un club fictif dans une base sans membre."""
    from clubapp.database import transaction
    from clubapp.services import demo as demo_club
    from clubapp.services.base import audit
    from clubapp.services.base.actors import command_actor

    bring_up_to_date()
    with transaction() as session:
        loaded = demo_club.load_club(session, members=members, companies=companies, events=events, seed=seed)
        audit.record(session, command_actor(), "command", name="demo")
    typer.echo(
        f"Club de démonstration chargé\u00a0: {loaded.members} membres, {loaded.companies} entreprises, "
        f"{loaded.events} événements. Administratrice\u00a0: {loaded.admin_email}"
    )


def doctor() -> None:
    """Vérifie l’installation\u00a0: une ligne par point, et le remède."""
    from clubapp.doctor import Level, run_checks

    words = {Level.OK: "ok", Level.WARNING: "à voir", Level.FAILED: "ERREUR"}
    is_ill = False
    for check in run_checks():
        is_ill = is_ill or check.level is Level.FAILED
        told = "\u00a0; ".join(filter(None, (check.text.removesuffix("."), check.mend)))
        typer.echo(f"{words[check.level]:<7} {check.name}\u00a0: {told}")
    if is_ill:
        raise typer.Exit(1)


def _choose(**given: object) -> None:
    """Let command line options override the environment, for this process and its workers."""
    os.environ.update({name: str(value) for name, value in given.items() if value is not None})


def _is_empty() -> bool:
    """Whether there is no club, without importing what only making one needs."""
    from sqlalchemy import literal, select, table

    from clubapp.database import reading

    with reading() as session:
        held = (select(literal(1)).select_from(table(name)).limit(1) for name in ("members", "companies", "events"))
        return not any(session.connection().execute(one).first() for one in held)


def _load_demo() -> None:
    from clubapp.database import transaction
    from clubapp.services import demo as demo_club

    with transaction() as session:
        if demo_club.has_no_club(session):  # another process may have loaded it
            demo_club.load_club(session)


def _refuse_demo_values(chosen: "Settings") -> None:
    """A club that others reach must not show the fictional one's people and numbers, unless it is the demonstration."""
    if chosen.is_public and not chosen.demo and (names := chosen.demo_values):
        raise Failure("\n".join(f"{name}: {DEMO_VALUE}" for name in names))


def _check_port(host: str, port: int) -> None:
    """Refuse a port in use: two servers could share it silently."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise Failure(f"CLUB_PORT: impossible d’écouter sur {host}:{port} ({describe_cause(error)})") from None


def _check_redis(url: str) -> None:
    if not url:
        return
    from clubapp.doctor import redis_problem

    if problem := redis_problem(url):
        raise Failure(f"CLUB_REDIS_URL: Redis injoignable ({problem})")
