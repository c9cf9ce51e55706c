"""Pages without script or interface: one task each, drawn whole from a template."""

from http import HTTPStatus
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from clubapp.settings import settings
from clubapp.web.security.headers import policy_for_html

TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
OF_A_LINK = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex"}


def status_of_link(is_good: bool, *, is_spent: bool) -> HTTPStatus:
    """The HTTP status of such a page: good, spent for today, or no link at all."""
    if is_spent:
        return HTTPStatus.TOO_MANY_REQUESTS
    return HTTPStatus.OK if is_good else HTTPStatus.NOT_FOUND


def respond_to_link(request: Request, template: str, status: int, **shown: Any) -> Response:
    """The page behind a link of a mail. Its forms post to its own address, which holds the token and is told nobody."""
    address = f"{request.url.path}?{request.url.query}"
    html = TEMPLATES.get_template(template).render(club=settings(), address=address, **shown)
    return HTMLResponse(html, status, {**OF_A_LINK, "Content-Security-Policy": policy_for_html(html)})
