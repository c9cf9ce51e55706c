"""POST /attachments/{broadcast_id}?nom=…: the body is a file for a mail; the answer is the id under which it is kept.

Nothing is kept before the file is found good (W8).
"""

import anyio
import anyio.to_thread
from starlette.requests import Request
from starlette.routing import Route

from clubapp import routes as paths
from clubapp.refusals import TooHeavy
from clubapp.services.base.actors import Actor
from clubapp.services.mailings import attachment_kinds, attachments
from clubapp.services.mailings.attachment_kinds import MOST_BYTES, TOO_HEAVY
from clubapp.web.endpoints.uploads.file_upload import read_file, upload_route
from clubapp.web.security.guard import is_clean
from clubapp.web.service_calls import write

SESSION_ENDED = "Votre session a expiré. Reconnectez-vous dans un autre onglet, puis réessayez\u00a0: rien n’est perdu."
# Each holds a file of 10 MB and its base64 in memory.
_CHECKERS = anyio.CapacityLimiter(2)


def routes() -> list[Route]:
    """The one address of this module. Access: administrators, as the service asks."""
    return [upload_route(f"{paths.ATTACHMENTS}/{{broadcast_id}}", keep_file, SESSION_ENDED)]


async def keep_file(request: Request, person: Actor) -> dict[str, str]:
    """Keep a file for a mail."""
    broadcast_id, name = (
        text if is_clean(text) else ""
        for text in (request.path_params["broadcast_id"], request.query_params.get("nom", ""))
    )
    await write(attachments.admit_upload, person, broadcast_id)
    content = await read_file(request, MOST_BYTES, TooHeavy(TOO_HEAVY))
    checked = await anyio.to_thread.run_sync(attachment_kinds.check_file, name, content, limiter=_CHECKERS)
    return {"id": await write(attachments.store_file, person, broadcast_id, checked)}
