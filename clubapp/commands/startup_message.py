"""The lines printed once the site answers: its address, and how to sign in."""

import sys

from clubapp import routes
from clubapp.services.demo.addresses import ADMIN_EMAIL, MEMBER_EMAIL
from clubapp.settings import Settings


def welcome(chosen: Settings) -> str:
    """The lines to print."""
    lines = ["", f"  {chosen.name}\u00a0: {chosen.public_url}"]
    if chosen.demo:
        lines += [
            f"  Se connecter\u00a0: {chosen.public_url}{routes.SIGN_IN}",
            f"    administratrice  {ADMIN_EMAIL}",
            f"    membre           {MEMBER_EMAIL}",
            f"  Lire les e-mails\u00a0: {_where_mail_goes(chosen)}",
        ]
    if sys.stdout.isatty():
        lines.append("  Arrêter\u00a0: Ctrl+C")
    return "\n".join([*lines, ""])


def _where_mail_goes(chosen: Settings) -> str:
    if chosen.smtp_url:
        return "dans la boîte du destinataire (CLUB_SMTP_URL)"
    return f"{chosen.public_url}{routes.MAILBOX}"
