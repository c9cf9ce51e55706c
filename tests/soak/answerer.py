"""A process that records answers and says so once each is stored, made to be killed: `python -m tests.soak.answerer`.

It reads one `event_id token` a line, lets several people answer at once, and prints `token step value` only after the
commit: a printed line is an answer that someone saw confirmed on their screen.
"""

import asyncio
import os
import sys

from clubapp.services.answers import by_link
from clubapp.services.answers.answer_form import parse_attendance, parse_guests, parse_lunch
from clubapp.web.service_calls import write

PEOPLE_AT_ONCE = 8


def confirm(token: str, step: str, value: int) -> None:
    """Say that a step is stored; one write, so that a kill leaves no half line but the last."""
    os.write(1, f"{token} {step} {value}\n".encode())


async def answer(event_id: str, token: str, guests: int) -> None:
    """Yes, with lunch, with guests."""
    await write(by_link.record_answer, event_id, token, parse_attendance(True))
    confirm(token, "will_attend", 1)
    await write(by_link.record_answer, event_id, token, parse_lunch(True))
    confirm(token, "with_lunch", 1)
    await write(by_link.record_answer, event_id, token, parse_guests(guests))
    confirm(token, "guest_count", guests)


async def main() -> None:
    """Answer every link, several at once."""
    waiting = enumerate([line.split() for line in sys.stdin])

    async def person() -> None:
        for number, (event_id, token) in waiting:
            await answer(event_id, token, number % 6)

    await asyncio.gather(*(person() for _ in range(PEOPLE_AT_ONCE)))


if __name__ == "__main__":
    asyncio.run(main())
