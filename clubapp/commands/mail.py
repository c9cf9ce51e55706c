"""Commands about the mail queue."""

from typing import Annotated

import typer

mail = typer.Typer(help="Le courrier en attente.", no_args_is_help=True)


@mail.command()
def deliver(
    until_empty: Annotated[bool, typer.Option("--until-empty", help="Recommence jusqu’à vider la file.")] = False,
) -> None:
    """Envoie ce qui attend dans la file, une fois."""
    from clubapp.mail.transport import delivery

    done = delivery.deliver(until_empty=until_empty)
    typer.echo(
        f"remis {done.sent}, à réessayer {done.retried}, refusés {done.failed}, "
        f"incertains {done.uncertain}, retirés {done.withdrawn}"
    )
    if done.halted:
        typer.echo(
            "La file s’est arrêtée après plusieurs erreurs de suite\u00a0: voyez «\u00a0doctor\u00a0».", err=True
        )
        raise typer.Exit(1)
    _tell_of_pause()


@mail.command()
def resume(
    everything: Annotated[
        bool, typer.Option("--all", help="Envoie aussi ce qui attendait dans une sauvegarde restaurée.")
    ] = False,
) -> None:
    """Met fin à la pause des envois, quelle qu’en soit la raison."""
    from clubapp.database import transaction
    from clubapp.services.base.actors import command_actor
    from clubapp.services.mail_log import queue_pause

    with transaction() as session:
        doubtful = queue_pause.read_pause(session, command_actor()).doubtful
        queue_pause.end_pause(session, command_actor(), with_doubtful=everything)
    typer.echo("Les envois reprennent.")
    if doubtful and not everything:
        typer.echo(
            f"Messages laissés, peut-être déjà partis\u00a0: {doubtful}. Ils sont "
            "«\u00a0incertains\u00a0» dans le journal."
        )


@mail.command()
def status() -> None:
    """Affiche le nombre de messages par état."""
    from clubapp.database import reading
    from clubapp.mail.queue import outbox

    with reading() as session:
        for state, count in outbox.count_states(session).items():
            typer.echo(f"{state:<14}{count:>6}")
    _tell_of_pause()


def _tell_of_pause() -> None:
    from clubapp.database import reading
    from clubapp.services.base.actors import SYSTEM
    from clubapp.services.mail_log import queue_pause

    with reading() as session:
        found = queue_pause.read_pause(session, SYSTEM)
    if found.is_on:
        typer.echo(f"Envois en pause. {found.reason} {found.until}", err=True)
