"""The commands `backup` and `restore`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clubapp.commands.acts import record_command

if TYPE_CHECKING:
    from clubapp.services.backups import ArchiveContents, Restored

File = Annotated[Path, typer.Argument(metavar="FILE", help="Le fichier de la sauvegarde, par exemple club.zip.")]


def backup(
    file: File,
    with_key: Annotated[bool, typer.Option("--with-key", help="Y met aussi la clé de signature.")] = False,
) -> None:
    """Met la base et les images dans un seul fichier, pendant que le site tourne."""
    from clubapp.database import transaction
    from clubapp.services import backups
    from clubapp.services.base import audit
    from clubapp.services.base.actors import command_actor
    from clubapp.settings import settings

    made = backups.make_backup(file, with_key=with_key)
    with transaction() as session:
        audit.record(session, command_actor(), "backup", file=file.name, with_key=with_key)
    typer.echo(f"Sauvegarde écrite dans {file}\u00a0: {_told(made)}.")
    if with_key:
        typer.echo("Elle contient la clé de signature\u00a0: gardez-la comme un mot de passe.")
    else:
        place = "CLUB_SECRET_KEY" if settings().secret_key else settings().key_file
        typer.echo(f"La clé de signature n’y est pas\u00a0: gardez-la à part ({place}).")


def restore(
    file: File,
    force: Annotated[bool, typer.Option("--force", help="Remplace le club qui est déjà là.")] = False,
    keep_deleted: Annotated[
        bool, typer.Option("--keep-deleted", help="Garde qui a été supprimé depuis sans l’avoir demandé.")
    ] = False,
    drill: Annotated[bool, typer.Option("--drill", help="Exercice\u00a0: ailleurs, le temps de vérifier.")] = False,
) -> None:
    """Remet en place une sauvegarde\u00a0; les envois restent en pause jusqu’à confirmation."""
    if drill:
        _rehearse(file)
        return
    from clubapp import clock
    from clubapp.database import transaction
    from clubapp.infra import server_lock
    from clubapp.services import backups
    from clubapp.services.base import audit
    from clubapp.services.base.actors import command_actor

    with server_lock.exclude_servers():
        done = backups.restore(file, force=force, keep_deleted=keep_deleted)
    with transaction() as session:
        made_at = done.contents.made_at.isoformat()
        audit.record(session, command_actor(), "restore", file=file.name, made_at=made_at)
    typer.echo(
        f"Club restauré depuis la sauvegarde du {clock.long_date(done.contents.made_at)}\u00a0: {_told(done.contents)}."
    )
    for line in _to_do(done):
        typer.echo(line, err=True)


def _rehearse(file: Path) -> None:
    import time

    from clubapp.services.backups import run_drill

    begun = time.monotonic()
    checks = run_drill(file)
    seconds = f"{time.monotonic() - begun:.0f}"
    for check in checks:
        typer.echo(f"{'ok' if check.is_well else 'ERREUR':<7} {check.name}\u00a0: {check.text}")
    is_well = all(check.is_well for check in checks)
    typer.echo(f"Exercice {'réussi' if is_well else 'manqué'} en {seconds} s\u00a0; le club n’a pas changé.")
    record_command("restore --drill", file=file.name, is_well=is_well)
    if not is_well:
        raise typer.Exit(1)


def _told(contents: "ArchiveContents") -> str:
    rows = contents.rows
    size = f"{contents.bytes / 1_000_000:.1f}".replace(".", ",")
    return f"membres {rows['members']}, événements {rows['events']}, images {contents.pictures}, {size} Mo"


def _to_do(done: "Restored") -> list[str]:
    """What remains to be done by hand after a restore."""
    lines = [
        "Les envois sont en pause\u00a0: «\u00a0mail resume\u00a0» ou le bouton «\u00a0Reprendre\u00a0» "
        "de l’administration y met fin."
    ]
    if done.erased_again:
        people = "personnes effacées" if done.erased_again > 1 else "personne effacée"
        lines.append(f"{done.erased_again} {people} depuis la sauvegarde, et de nouveau à l’instant.")
    if done.unread_lines:
        unread = "lignes illisibles" if done.unread_lines > 1 else "ligne illisible"
        lines.append(
            f"Liste des personnes effacées (erased-people.txt)\u00a0: {done.unread_lines} {unread}. "
            "Une personne effacée est peut-être revenue\u00a0: comparez avec les demandes d’effacement."
        )
    if done.waiting_mails:
        lines.append(
            f"Messages qui attendaient au moment de la sauvegarde\u00a0: {done.waiting_mails}. Ils ne partiront que "
            "par «\u00a0mail resume --all\u00a0»."
        )
    if done.missed_mailings:
        lines.append(f"Envois automatiques tenus pour manqués\u00a0: {done.missed_mailings} (Envois à venir).")
    if not done.has_key:
        lines.append(
            "La clé de signature n’est pas celle de la sauvegarde\u00a0: remettez l’ancienne dans CLUB_SECRET_KEY ou "
            "secret.key, sans quoi les relances des personnes déjà invitées ne pourront pas être écrites. "
            "Perdue pour de bon\u00a0: «\u00a0renew-links\u00a0»."
        )
    return lines
