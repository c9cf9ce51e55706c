"""The command `migrate`: forwards at any time, back only without a server, by `--force` and after a backup."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from clubapp.commands.acts import record_command
from clubapp.commands.error_lines import Failure

if TYPE_CHECKING:
    from clubapp.migrations import Migration
    from clubapp.set_aside import Loss

PAUSE_TABLE = "mail_pause"
UNCHANGED = "Rien n’a été changé. Avec «\u00a0--force\u00a0»\u00a0:"


def migrate(
    to: Annotated[str, typer.Option(metavar="SCHÉMA", help="Un schéma plus ancien, pour revenir en arrière.")] = "head",
    force: Annotated[bool, typer.Option("--force", help="Revient en arrière, après une sauvegarde.")] = False,
) -> None:
    """Amène la base de données au dernier schéma, et dit ce qui a été fait."""
    from clubapp import migrations

    if to in (migrations.NEWEST, migrations.NOTHING):
        done = migrations.migrate(to)
        if done:
            record_command("migrate", schema=done.after)
        typer.echo(_describe(done) if done else f"La base est déjà au schéma {migrations.newest_revision()}.")
    else:
        _migrate_to(to, force=force)


def bring_up_to_date() -> None:
    """Migrate before another command begins; says so only if there was something to do."""
    from clubapp import migrations

    if done := migrations.migrate():
        record_command("migrate", schema=done.after)
        typer.echo(_describe(done))


def _migrate_to(to: str, *, force: bool) -> None:
    from clubapp import migrations
    from clubapp.infra import server_lock
    from clubapp.services import backups
    from clubapp.services.base.actors import command_actor

    migrations.create_schema()
    with server_lock.exclude_servers():
        if not force:
            try:
                done = migrations.migrate(to)
            except migrations.OlderSchema as refused:
                raise Failure("\n".join([str(refused), UNCHANGED, *_list_losses(refused.losses)])) from None
            typer.echo(_describe(done) if done else f"La base est déjà au schéma {to}.")
            return
        done = backups.downgrade_schema(to, command_actor())
    if isinstance(done, backups.Downgrade):
        typer.echo("\n".join([f"{_describe(done.migration)} Sauvegarde faite avant\u00a0: {done.file}."]))
        typer.echo("\n".join(_list_losses(done.losses)))
    else:
        typer.echo(_describe(done) if done else f"La base est déjà au schéma {to}.")


def _describe(done: "Migration") -> str:
    if done.before is None:
        return f"Base créée au schéma {done.after}."
    is_back = done.after < done.before
    way, steps = ("ramenée", "étapes défaites") if is_back else ("amenée", "étapes")
    return f"Base {way} du schéma {done.before} au schéma {done.after} ({steps}\u00a0: {', '.join(done.steps)})."


def _list_losses(losses: "Sequence[Loss]") -> list[str]:
    """What the older program does not see, by name and with how many rows have something in it."""
    full, empty = [loss for loss in losses if loss.rows], [loss.name for loss in losses if not loss.rows]
    lines = []
    if full:
        lines.append("Mis de côté dans la base, invisible au programme plus ancien, rendu au retour\u00a0:")
        lines += [f"  {loss.name}\u00a0: {loss.rows} {'lignes' if loss.rows > 1 else 'ligne'}" for loss in full]
    if empty:
        lines.append(f"Retirés, sans contenu\u00a0: {', '.join(empty)}.")
    if any(loss.table == PAUSE_TABLE for loss in losses):
        lines.append(
            "Ce schéma ne connaît pas la pause des envois\u00a0: le programme plus ancien enverra ce qui attend. "
            "Après le retour, les envois seront en pause."
        )
    else:
        lines.append("Les envois sont mis en pause\u00a0; «\u00a0mail resume\u00a0» y met fin.")
    return lines
