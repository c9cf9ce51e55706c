"""The command `papers`."""

from pathlib import Path
from typing import Annotated

import typer


def papers(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Le dossier où les écrire.")] = Path("papiers"),
    force: Annotated[bool, typer.Option("--force", help="Remplace ceux qui y sont déjà.")] = False,
) -> None:
    """Écrit les documents de protection des données à relire, compléter et signer (PDF et DOCX)."""
    from clubapp.database import transaction
    from clubapp.services.base import audit
    from clubapp.services.base.actors import command_actor
    from clubapp.services.privacy.papers import write_papers

    with transaction() as session:
        written = write_papers(session, command_actor(), folder.expanduser(), force=force)
        audit.record(session, command_actor(), "command", name="papers")
    for file in written:
        typer.echo(file)
    typer.echo("Relisez-les\u00a0: ce que les réglages ne disent pas y est marqué «\u00a0[à compléter]\u00a0».")
