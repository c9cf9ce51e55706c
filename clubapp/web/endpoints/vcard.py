"""GET /membres/{id}.vcf: a member's contact card."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from clubapp import routes as paths
from clubapp.refusals import NotFound
from clubapp.services.directory import vcard
from clubapp.web.security.guard import is_clean
from clubapp.web.service_calls import read


def routes() -> list[Route]:
    """The one address of this module. Access: everyone; it says what the public page says."""
    return [Route(paths.contact_card("{member_id}"), _card)]


async def _card(request: Request) -> Response:
    member_id = request.path_params["member_id"]
    try:
        found = await read(vcard.build_vcard, member_id if is_clean(member_id) else "")
    except NotFound:
        return Response(status_code=404, headers={"Cache-Control": "no-store"})
    headers = {
        "Content-Disposition": f'attachment; filename="{found.file_name}"',
        "Cache-Control": "no-cache",
        "X-Robots-Tag": "noindex",
    }
    return Response(found.content, media_type="text/vcard", headers=headers)
