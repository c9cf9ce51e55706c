"""Commands about administrators, sign-in links and access tokens."""

from typing import Annotated

import typer

Email = Annotated[str, typer.Argument(metavar="EMAIL", help="Adresse e-mail.")]

admin = typer.Typer(help="Les administrateurs du club.", no_args_is_help=True)


@admin.command("add")
def admin_add(email: Email) -> None:
    """Donne à une adresse l’accès à l’administration."""
    from clubapp.database import transaction
    from clubapp.services.access import administrators
    from clubapp.services.base.actors import command_actor

    with transaction() as session:
        address = administrators.add_administrator(session, command_actor(), email)
    typer.echo(f"{address} administre désormais le club.")


@admin.command("remove")
def admin_remove(email: Email) -> None:
    """Retire à une adresse l’accès à l’administration, et ferme ses sessions."""
    from clubapp.database import transaction
    from clubapp.services.access import administrators
    from clubapp.services.base.actors import command_actor

    with transaction() as session:
        address = administrators.remove_administrator(session, command_actor(), email)
    typer.echo(f"{address} n’administre plus le club.")


@admin.command("list")
def admin_list() -> None:
    """Affiche les administrateurs, un par ligne."""
    from clubapp.database import reading
    from clubapp.services.access import administrators
    from clubapp.services.base.actors import command_actor

    with reading() as session:
        for email in administrators.list_admin_emails(session, command_actor()):
            typer.echo(email)


@admin.command("reset-factors")
def admin_reset_factors(email: Email) -> None:
    """Retire toute double vérification à une adresse qui a perdu la sienne, et ferme ses sessions."""
    from clubapp.database import transaction
    from clubapp.services.access import factor_loss
    from clubapp.services.base.actors import command_actor

    with transaction() as session:
        address = factor_loss.reset_factors(session, command_actor(), email)
    typer.echo(f"{address} se connecte de nouveau avec son seul e-mail.")


def sign_in_link(email: Email) -> None:
    """Affiche un lien de connexion\u00a0: l’entrée de secours quand le courrier est en panne."""
    from clubapp.database import transaction
    from clubapp.services.access import sign_in
    from clubapp.services.base.actors import command_actor

    with transaction() as session:
        link = sign_in.create_link(session, email, operator=command_actor())
    typer.echo(link)  # committed: it opens the site


def renew_links() -> None:
    """Refait les liens de réponse qu’aucune clé ne sait plus écrire, quand la clé de signature est perdue."""
    from clubapp.database import transaction
    from clubapp.services.answers import link_renewal
    from clubapp.services.base.actors import command_actor

    with transaction() as session:
        count = link_renewal.renew_links(session, command_actor())
    typer.echo(f"Liens de réponse refaits\u00a0: {count}. Les anciens ne mènent plus nulle part.")


def access_token(
    email: Email,
    minutes: Annotated[int, typer.Option(min=1, max=60, help="Durée de validité.")] = 10,
) -> None:
    """Affiche un jeton d’accès d’administrateur, pour un script."""
    from datetime import timedelta

    from clubapp.database import transaction
    from clubapp.services.access import sessions
    from clubapp.services.base.actors import command_actor
    from clubapp.text.email_addresses import normalise

    with transaction() as session:
        made = sessions.issue_admin_token(
            session, normalise(email), operator=command_actor(), lifetime=timedelta(minutes=minutes)
        )
    typer.echo(made.token)
