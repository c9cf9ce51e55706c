"""Where the personal links of a test mail or a preview lead: to a sentence, and to nobody's answer (M13)."""

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from clubapp import routes as paths
from clubapp.settings import settings

_PAGE = Markup(
    '<!DOCTYPE html><html lang="fr"><head><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">'
    "<title>E-mail de test · {club}</title>"
    "<style>body{{margin:0;padding:48px 20px;background:#fbf8f3;color:#1b2430;font:17px/1.6 Figtree,Arial,sans-serif}}"
    "main{{max-width:36em;margin:auto;padding:32px;border:1px solid #e7e0d6;border-radius:16px;background:#fff}}"
    "h1{{margin:0 0 12px;font:600 28px/1.2 Fraunces,Georgia,serif}}a{{color:#a63d2a}}</style></head>"
    "<body><main><h1>Ce lien vient d’un e-mail de test</h1>"
    "<p>Dans le message envoyé aux membres, ce même lien est personnel\u00a0: il ouvre la page de réponse de chacun, "
    "ou sa désinscription. Ici, rien n’a été enregistré.</p>"
    '<p><a href="/">Retour à l’accueil</a></p></main></body></html>'
)


def routes() -> list[Route]:
    """The HTTP routes of this module."""
    return [Route(paths.TRIAL_LINK, explain_test_link, methods=["GET"])]


def explain_test_link(_request: Request) -> Response:
    """Say so. Whatever the address carries is not read."""
    return HTMLResponse(_PAGE.format(club=settings().name), headers={"Cache-Control": "no-store"})
