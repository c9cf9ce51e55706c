"""Commands about the mail queue."""

from typing import Annotated

import typer

from clubapp.commands.acts import record_command

mail = typer.Typer(help="Le courrier en attente.", no_args_is_help=True)


@mail.command()
def deliver(
    until_empty: Annotated[bool, typer.Option("--until-empty", help="Recommence jusqu’à vider la file.")] = False,
) -> None:
    """Envoie ce qui attend dans la file, une fois."""
    from clubapp.mail.transport import delivery

    told = 0

    def tell_waiting(count: int) -> None:
        nonlocal told
        if count != told:
            wait = "messages attendent" if count > 1 else "message attend"
            typer.echo(f"{count} {wait} encore, nouvel essai dès que possible. Ctrl+C arrête l’attente.", err=True)
        told = count

    done = delivery.deliver(until_empty=until_empty, tell_waiting=tell_waiting)
    if any((done.sent, done.retried, done.failed, done.uncertain, done.withdrawn)):  # a timer may run it each minute
        record_command("mail deliver", handed_over=done.sent, failed=done.failed, withdrawn=done.withdrawn)
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
        before = queue_pause.read_pause(session, command_actor())
        queue_pause.end_pause(session, command_actor(), with_doubtful=everything)
        left = queue_pause.count_left(session, command_actor())
    typer.echo(
        "Les envois reprennent." if before.is_on else "Les envois n’étaient pas en pause\u00a0: rien n’a changé."
    )
    if before.doubtful and everything:
        typer.echo(f"Partent aussi ceux qui attendaient dans la sauvegarde\u00a0: {before.doubtful}.")
    if before.doubtful and not everything:
        typer.echo(
            f"Messages laissés, peut-être déjà partis\u00a0: {before.doubtful}. Ils sont "
            "«\u00a0incertains\u00a0» dans le journal."
        )
    elif left and everything:
        typer.echo(
            f"Messages laissés à la reprise précédente\u00a0: {left}. «\u00a0--all\u00a0» n’en envoie aucun\u00a0; "
            "chacun se renvoie depuis «\u00a0Envois\u00a0», parmi les incertains."
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
