"""What the terminal says once the site answers: where it is, and how to come in."""

import threading
import time
import urllib.error
import urllib.request

import typer

from clubapp import routes
from clubapp.settings import Settings

_PATIENCE_SECONDS = 120


def announce_when_ready(chosen: Settings) -> None:
    """Print the welcome as soon as the site answers. Returns at once."""
    threading.Thread(target=_wait_and_print, args=(chosen,), daemon=True).start()


def _wait_and_print(chosen: Settings) -> None:
    until = time.monotonic() + _PATIENCE_SECONDS
    while time.monotonic() < until:
        if _answers(chosen):
            typer.echo(welcome(chosen))
            return
        time.sleep(0.1)


def _answers(chosen: Settings) -> bool:
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(chosen.host, chosen.host)  # noqa: S104 - only to call ourselves
    try:
        with urllib.request.urlopen(f"http://{host}:{chosen.port}{routes.HEALTH}", timeout=2) as answer:
            return answer.status == 200
    except (urllib.error.URLError, OSError):
        return False


def welcome(chosen: Settings) -> str:
    """The lines to print."""
    lines = ["", f"  {chosen.name} : {chosen.public_url}"]
    if chosen.demo:
        from clubapp.services.demo import ADMIN_EMAIL, MEMBER_EMAIL

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
