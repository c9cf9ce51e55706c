"""Commands about automatic mailings."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from clubapp.commands.acts import record_command

if TYPE_CHECKING:
    from clubapp.services.reminders.dry_run import Forecast

reminders = typer.Typer(help="Les envois automatiques.", no_args_is_help=True)


@reminders.callback()
def _group() -> None:
    """Les envois automatiques."""


@reminders.command()
def due(
    at: Annotated[
        str, typer.Option(metavar="ISO", help="Moment à regarder, par exemple 2026-11-05T09:00 à l’heure du club.")
    ] = "",
    send: Annotated[bool, typer.Option("--send", help="Met ces messages dans la file d’envoi.")] = False,
) -> None:
    """Affiche qui recevrait quel message à ce moment, et pourquoi les autres non."""
    from clubapp import clock
    from clubapp.database import reading, transaction
    from clubapp.services.base.actors import SYSTEM
    from clubapp.services.reminders import dry_run

    moment = _moment(at)
    with transaction() as session:
        dry_run.plan_missing_mailings(session, SYSTEM)
    with reading() as session:
        found = dry_run.forecast_due(session, SYSTEM, moment)
        after = dry_run.describe_next(session, SYSTEM, moment)
    typer.echo(f"Le {clock.long_date(moment)}\u00a0:")
    for forecast in found:
        _tell(forecast)
    if not found:
        typer.echo("Rien à envoyer à ce moment.")
    if after:
        typer.echo(f"Ensuite\u00a0: {after}.")
    if send:
        _send([forecast.id for forecast in found if not forecast.reason], moment)


def _moment(text: str) -> datetime:
    """The instant of an ISO time; without an offset it is club time."""
    from clubapp import clock
    from clubapp.refusals import Invalid

    if not text:
        return clock.now()
    try:
        found = datetime.fromisoformat(text)
        return found if found.tzinfo else clock.from_local(found.isoformat())
    except (ValueError, Invalid):
        raise typer.BadParameter(
            "attendu\u00a0: une date et une heure ISO, comme 2026-11-05T09:00", param_hint="--at"
        ) from None


def _tell(forecast: "Forecast") -> None:
    typer.echo(f"\n{forecast.name}\u00a0: {forecast.event}")
    typer.echo(f"  prévue le {forecast.due}")
    if forecast.reason:
        typer.echo(f"  ne part pas\u00a0: {forecast.reason}")
        return
    recipients, left_out = forecast.audience.recipients, forecast.audience.left_out
    typer.echo(f"  {_count(len(recipients), 'destinataire')}")
    for one in recipients:
        typer.echo(f"    {one.name} <{one.email}>{' (sans réponse)' if one.reservation_id and one.is_asked else ''}")
    if left_out:
        typer.echo(f"  {_count(len(left_out), 'autre')}")
    for other in left_out:
        typer.echo(f"    {other.name}\u00a0: {other.reason}")


def _send(mailing_ids: list[str], moment: datetime) -> None:
    from clubapp.database import transaction
    from clubapp.services.base.actors import SYSTEM
    from clubapp.services.reminders import dry_run

    queued = 0
    for mailing_id in mailing_ids:
        with transaction() as session:
            outcome = dry_run.dispatch_forecast(session, SYSTEM, mailing_id, moment)
        queued += outcome.queued if outcome else 0
    record_command("reminders due --send", queued=queued)
    typer.echo(f"\n{_count(queued, 'message')} dans la file d’envoi.")


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'s' if number > 1 else ''}"
