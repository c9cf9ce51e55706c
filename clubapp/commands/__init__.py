"""The command line. Each command imports what it needs when it runs."""

from typing import Annotated

import typer
from typer._click.core import Context

from clubapp import VERSION
from clubapp.commands import access, backups, mail, papers, reminders, schema, site
from clubapp.commands.usage_errors import FrenchHelp


def _print_version(is_asked: bool) -> None:
    if is_asked:
        typer.echo(f"clubapp {VERSION}")
        raise typer.Exit


Context.formatter_class = FrenchHelp
app = typer.Typer(
    help="Le site et le back-office du club.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.callback()
def _program(
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Affiche la version, et s’arrête.")
    ] = False,
) -> None:
    """Le site et le back-office du club."""


app.command()(site.serve)
app.command()(site.build)
app.command()(schema.migrate)
app.command()(site.demo)
app.command()(backups.backup)
app.command()(backups.restore)
app.command()(site.doctor)
app.command()(papers.papers)
app.command()(access.sign_in_link)
app.command()(access.access_token)
app.command()(access.renew_links)
app.add_typer(access.admin, name="admin")
app.add_typer(mail.mail, name="mail")
app.add_typer(reminders.reminders, name="reminders")
