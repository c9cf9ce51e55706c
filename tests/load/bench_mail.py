"""How fast a mailing leaves, beside the same messages handed to the same relay without an outbox.

The relay is a process of its own that accepts everything, at once or ten milliseconds after each command. The bare loop
holds its messages ready made: what it does not do, namely to read, to draw, to write out and to record, is what the
queue adds.
"""

import asyncio
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import aiosmtplib
from sqlmodel import col, select, update

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.mail import envelope, messages
from clubapp.mail.delivery import LANES, deliver
from clubapp.mail.outbox import sender_address
from clubapp.models import MailState, OutboxMail
from clubapp.services import invitations
from clubapp.services.actors import SYSTEM
from tests.factories import add_event
from tests.load.figures import Figure
from tests.load.installation import installation

ROOT = Path(__file__).resolve().parents[2]
INVITED = 1000
SLOW_REPLY = 0.01


def measure(folder: Path, invited: int = INVITED) -> list[Figure]:
    """A whole mailing through the queue and through a bare loop, at a quick relay and at a slow one."""
    return [
        figure
        for name, seconds, share in (("at once", 0.0, 0.7), ("after 10 ms", SLOW_REPLY, 0.85))
        for figure in _beside_a_bare_loop(folder / str(seconds), invited, name, seconds, share)
    ]


def _beside_a_bare_loop(folder: Path, invited: int, name: str, seconds: float, share: float) -> Iterator[Figure]:
    with _sink(seconds) as port, installation(folder, invited, CLUB_SMTP_URL=f"smtp://127.0.0.1:{port}"):
        mails = _invite_everyone()
        rendering, building, written = _made(mails)
        runs = []
        for _ in range(3):  # in turn, so that whatever else the machine does weighs on both
            bare = _rate(len(written), lambda: asyncio.run(_bare(port, written)))
            runs.append((_rate(len(mails), _deliver_all), bare))
            _queue_again()
    queued, bare = max(run[0] for run in runs), max(run[1] for run in runs)
    yield Figure(
        f"mails sent, {len(mails)} invitations, {LANES} connections, a relay that answers {name}",
        f"{queued:.0f}/s",
        f"{bare:.0f}/s in a bare SMTP loop; {queued / bare:.2f} of it, asked {share}",
    )
    if not seconds:
        yield Figure("one message: read and drawn, then built", f"{rendering:.2f} ms, {building:.2f} ms")


def _invite_everyone() -> list[OutboxMail]:
    with transaction() as session:
        event = add_event(session, date=clock.now() + timedelta(days=400), status="confirmed")
        invitations.send(session, SYSTEM, event.id)
    with reading() as session:
        return list(session.exec(select(OutboxMail).where(OutboxMail.state == MailState.PENDING)))


def _queue_again() -> None:
    with transaction() as session:
        again = update(OutboxMail).where(col(OutboxMail.state) == MailState.SENT)
        session.execute(again.values(state=MailState.PENDING, attempts=0))


def _deliver_all() -> None:
    deliver()


def _made(mails: list[OutboxMail]) -> tuple[float, float, list[tuple[str, bytes]]]:
    """Milliseconds to read and draw a message, and to build its bytes; and the bytes."""
    begun = time.perf_counter()
    letters = []
    for mail in mails:
        with reading() as session:
            letters.append(messages.compose(session, mail))
        envelope.parts(letters[-1])
    drawn = time.perf_counter()
    written = [(mail.recipient, envelope.write(letter, mail)) for mail, letter in zip(mails, letters, strict=True)]
    ended = time.perf_counter()
    return (drawn - begun) / len(mails) * 1000, (ended - drawn) / len(mails) * 1000, written


def _rate(count: int, run) -> float:
    begun = time.perf_counter()
    run()
    return count / (time.perf_counter() - begun)


async def _bare(port: int, written: list[tuple[str, bytes]]) -> None:
    async def lane(mine: list[tuple[str, bytes]]) -> None:
        async with aiosmtplib.SMTP(hostname="127.0.0.1", port=port, start_tls=False) as client:
            for recipient, content in mine:
                await client.sendmail(sender_address(), [recipient], content)

    await asyncio.gather(*(lane(written[start::LANES]) for start in range(LANES)))


@contextmanager
def _sink(seconds: float) -> Iterator[int]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    words = [sys.executable, "-m", "tests.load.sink", str(port), str(seconds)]
    process = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        process.stdout.readline()
        yield port
    finally:
        process.terminate()
        process.wait()
