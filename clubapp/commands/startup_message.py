"""The lines printed once the site answers: its address, and how to sign in."""

from clubapp import routes
from clubapp.services.demo.addresses import ADMIN_EMAIL, MEMBER_EMAIL
from clubapp.settings import Settings


def welcome(chosen: Settings) -> str:
    """The lines to print."""
    lines = ["", f"  {chosen.name} : {chosen.public_url}"]
    if chosen.demo:
        lines += [
            f"  Se connecter : {chosen.public_url}{routes.SIGN_IN}",
            f"    administratrice  {ADMIN_EMAIL}",
            f"    membre           {MEMBER_EMAIL}",
            f"  Lire les e-mails : {_where_mail_goes(chosen)}",
        ]
    return "\n".join([*lines, "  Arrêter : Ctrl+C", ""])


def _where_mail_goes(chosen: Settings) -> str:
    if chosen.smtp_url:
        return "dans la boîte du destinataire (CLUB_SMTP_URL)"
    return f"{chosen.public_url}{routes.MAILBOX}"
