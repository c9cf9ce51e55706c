"""POST /imports/{kind}: the body is a table of members or companies; the answer is the import's id.

Nothing is written to members or companies here.
"""

from functools import partial

import anyio
import anyio.to_thread
from starlette.requests import Request
from starlette.routing import Route

from clubapp import routes as paths
from clubapp.refusals import Invalid
from clubapp.services.base.actors import Actor
from clubapp.services.import_export import import_run, spreadsheet_reader
from clubapp.services.import_export.spreadsheet_reader import MOST_BYTES, TOO_HEAVY
from clubapp.web.endpoints.uploads.file_upload import read_file, upload_route
from clubapp.web.service_calls import write

# A workbook of 60 MB, unpacked, keeps a core for seconds.
_READERS = anyio.CapacityLimiter(1)


def routes() -> list[Route]:
    """The one address of this module. Access: administrators, as the service asks."""
    return [upload_route(f"{paths.IMPORTS}/{{kind}}", keep_table)]


async def keep_table(request: Request, person: Actor) -> dict[str, str]:
    """Keep a table to be looked at."""
    kind = request.path_params["kind"]
    await write(import_run.admit_import, person, kind)
    content = await read_file(request, MOST_BYTES, Invalid(TOO_HEAVY))
    knows = partial(import_run.are_headings, kind)
    sheet = await anyio.to_thread.run_sync(spreadsheet_reader.read_sheet, content, knows, limiter=_READERS)
    return {"id": await write(import_run.store_table, person, kind, sheet)}
