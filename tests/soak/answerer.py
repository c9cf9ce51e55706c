"""A process that takes posted answers, made to be killed, and tells of each one that was answered.

Several people post the page's form at once: what is told is an answer that someone saw confirmed on their screen.
"""

import asyncio
import os
from collections.abc import Sequence
from multiprocessing.connection import Connection

import httpx
from starlette.applications import Starlette

from clubapp.web.endpoints import answer_page

PEOPLE_AT_ONCE = 8


def run(variables: dict[str, str], links: Sequence[tuple[str, str]], told: Connection) -> None:
    """Answer every link of an event and a token; tell `token step value` of each step, in one piece or not at all."""
    os.environ |= variables
    asyncio.run(_answer_all(links, told))


async def _answer_all(links: Sequence[tuple[str, str]], told: Connection) -> None:
    waiting = enumerate(links)
    site = httpx.ASGITransport(Starlette(routes=answer_page.routes()))

    async with httpx.AsyncClient(transport=site, base_url="http://localhost:3000") as browser:

        async def person() -> None:
            for number, link in waiting:
                await _answer(browser, link, number % 6, told)

        await asyncio.gather(*(person() for _ in range(PEOPLE_AT_ONCE)))


async def _answer(browser: httpx.AsyncClient, link: tuple[str, str], guests: int, told: Connection) -> None:
    """Yes, with lunch, with guests."""
    event_id, token = link
    for step, said, value in (("will_attend", "true", 1), ("with_lunch", "true", 1), ("guest_count", guests, guests)):
        answer = await browser.post(f"/event/{event_id}/answer", data={"token": token, step: str(said)})
        assert answer.status_code == 303, answer.status_code
        told.send_bytes(f"{token} {step} {value}".encode())
