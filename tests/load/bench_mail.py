"""How fast a mailing leaves, beside the same messages handed to the same relay without an outbox.

The relay is the tests' own, in this process, which answers at once; or a process that takes ten milliseconds for each
reply. The bare loop holds its messages ready made: what it does not do, namely to read, to draw, to write out and to
record, is what the queue adds.
"""

import asyncio
import gc
import resource
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
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
from tests.smtp_server import Relay, running_relay

ROOT = Path(__file__).resolve().parents[2]
INVITED = 1000
SLOW_REPLY = 0.01


def measure(folder: Path, invited: int = INVITED) -> list[Figure]:
    """A whole mailing through the queue and through a bare loop, at a quick relay and at a slow one."""
    with running_relay() as relay, _installed(folder / "quick", invited, relay.port):
        mails = _invite_everyone()
        drawing, building, written = _made(mails)
        quick = _beside_a_bare_loop(mails, relay.port, written, "at once", 0.7)
        grown = _memory_of_ten_mailings(relay)
    with _slow_relay() as port, _installed(folder / "slow", invited, port):
        mails = _invite_everyone()
        slow = _beside_a_bare_loop(mails, port, _made(mails)[2], "after 10 ms", 0.85)
    return [
        quick,
        slow,
        Figure("one message: read and drawn, then built", f"{drawing:.2f} ms, {building:.2f} ms"),
        Figure(f"memory after {10 * len(mails)} messages", f"{grown:+.1f} MB", f"beside that after {len(mails)}"),
    ]


def _installed(folder: Path, invited: int, port: int) -> AbstractContextManager[None]:
    return installation(folder, invited, CLUB_SMTP_URL=f"smtp://127.0.0.1:{port}")


def _beside_a_bare_loop(
    mails: list[OutboxMail], port: int, written: list[tuple[str, bytes]], name: str, share: float
) -> Figure:
    """The best of three runs of each, in turn, so that whatever else the machine does weighs on both."""
    queued = bare = 0.0
    for _ in range(3):
        bare = max(bare, _rate(len(written), lambda: asyncio.run(_bare(port, written))))
        queued = max(queued, _rate(len(mails), deliver))
        _queue_again()
    return Figure(
        f"mails sent, {len(mails)} invitations, {LANES} connections, a relay that answers {name}",
        f"{queued:.0f}/s",
        f"{bare:.0f}/s in a bare SMTP loop: {queued / bare:.2f} of it, at least {share} asked",
    )


def _memory_of_ten_mailings(relay: Relay) -> float:
    """How much the process has grown after ten mailings, beside after one, in MB. The relay forgets what it took."""
    seen = []
    for _ in range(10):
        deliver()
        relay.accepted.clear()
        relay.envelopes.clear()
        seen.append(_resident())
        _queue_again()
    return seen[-1] - seen[0]


def _resident() -> float:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


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
def _slow_relay() -> Iterator[int]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    words = [sys.executable, "-m", "tests.load.sink", str(port), str(SLOW_REPLY)]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield port
        process.terminate()
