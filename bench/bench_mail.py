"""How fast a mailing leaves, beside the same messages handed to the same relay without an outbox.

The relay is a process that takes every message, at once or after ten milliseconds for each reply. Beside the queue
stands aiosmtplib alone, as a plain script drives it: it builds each message by the standard library, from texts drawn
before. Handed the bytes that the queue would write, it does nothing but talk, which is as fast as anything can be.
"""

import asyncio
import gc
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from email.message import EmailMessage
from email.utils import localtime, make_msgid
from pathlib import Path
from typing import Any

import aiosmtplib
from sqlmodel import col, select, update

from bench.figures import Figure
from bench.installation import installation
from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.mail.messages import mail_kinds
from clubapp.mail.queue.outbox import sender_address
from clubapp.mail.transport import mime
from clubapp.mail.transport.delivery import CONNECTIONS, deliver
from clubapp.models import MailState, OutboxMail
from clubapp.services.base.actors import SYSTEM
from clubapp.services.events import invitations
from tests.factories import add_event
from tests.mail.mailings import ask_for_link
from tests.servers import free_port

ROOT = Path(__file__).resolve().parent.parent
INVITED = 1000
SLOW_REPLY = 0.01


@dataclass(frozen=True)
class _Made:
    """A message as its parts (subject, text, HTML), and as its bytes."""

    recipient: str
    parts: tuple[str, str, str]
    content: bytes


def measure(folder: Path, invited: int = INVITED) -> list[Figure]:
    """A whole mailing through the queue and through a bare loop, at a quick relay and at a slow one."""
    with _sink(0) as port, _installed(folder / "quick", invited, port):
        mails = _invite_everyone()
        drawing, building, made = _made(mails)
        quick = _beside_raw_loops(port, made, "at once", 0.7)
        grown = _memory_of_ten_mailings()
    with _sink(SLOW_REPLY) as port, _installed(folder / "slow", invited, port):
        slow = _beside_raw_loops(port, _made(_invite_everyone())[2], "after 10 ms", 0.85)
        urgent = _sign_in_during_a_mailing()
    return [
        quick,
        slow,
        Figure(f"a sign-in mail asked for in the middle of {invited} invitations", f"{urgent:.2f} s", "limit: 2 s"),
        Figure("one message: read and drawn, then built", f"{drawing:.2f} ms, {building:.2f} ms"),
        Figure(f"memory after {10 * len(mails)} messages", f"{grown:+.1f} MB", f"beside that after {len(mails)}"),
    ]


def _installed(folder: Path, invited: int, port: int) -> AbstractContextManager[None]:
    return installation(folder, invited, CLUB_SMTP_URL=f"smtp://127.0.0.1:{port}")


def _beside_raw_loops(port: int, made: list[_Made], name: str, share: float) -> Figure:
    """The best of three runs of each, in turn, so that whatever else the machine does weighs on all."""
    queued = building = handing = 0.0
    for _ in range(3):
        building = max(building, _rate(len(made), lambda: asyncio.run(_raw(port, made, _build_and_send))))
        handing = max(handing, _rate(len(made), lambda: asyncio.run(_raw(port, made, _send_bytes))))
        queued = max(queued, _rate(len(made), deliver))
        _queue_again()
    return Figure(
        f"mails sent, {len(made)} invitations, {CONNECTIONS} connections, a relay that answers {name}",
        f"{queued:.0f}/s",
        f"{building:.0f}/s by raw aiosmtplib that builds each message: {queued / building:.2f} of it, at least {share} "
        f"asked; {handing:.0f}/s when it is handed finished bytes: {queued / handing:.2f} of that",
    )


def _sign_in_during_a_mailing() -> float:
    """Seconds from asking for it to the relay's yes, while others leave."""
    sent = select(OutboxMail).where(OutboxMail.state == MailState.SENT)
    urgent = sent.where(OutboxMail.kind == "sign_in")
    stopping = threading.Event()
    mailing = threading.Thread(target=lambda: deliver(stopping=stopping))
    mailing.start()
    _until(sent)
    begun = time.perf_counter()
    ask_for_link()
    _until(urgent)
    took = time.perf_counter() - begun
    stopping.set()
    mailing.join()
    return took


def _until(there: Any) -> None:
    while True:
        with reading() as session:
            if session.exec(there.limit(1)).first():
                return
        time.sleep(0.01)


def _memory_of_ten_mailings() -> float:
    """How much the process has grown after ten mailings, beside after one, in MB."""
    seen = []
    for _ in range(10):
        deliver()
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
        invitations.send_invitations(session, SYSTEM, event.id)
    with reading() as session:
        return list(session.exec(select(OutboxMail).where(OutboxMail.state == MailState.PENDING)))


def _queue_again() -> None:
    with transaction() as session:
        again = update(OutboxMail).where(col(OutboxMail.state) == MailState.SENT)
        session.execute(again.values(state=MailState.PENDING, attempts=0))


def _made(mails: list[OutboxMail]) -> tuple[float, float, list[_Made]]:
    """Milliseconds to read and draw a message, and to build its bytes; and both forms of each."""
    begun = time.perf_counter()
    letters, parts = [], []
    for mail in mails:
        with reading() as session:
            letters.append(mail_kinds.compose(session, mail))
        parts.append(mime.render_parts(letters[-1]))
    drawn = time.perf_counter()
    written = [mime.build_message(letter, mail) for mail, letter in zip(mails, letters, strict=True)]
    ended = time.perf_counter()
    made = [_Made(mail.recipient, *each) for mail, each in zip(mails, zip(parts, written, strict=True), strict=True)]
    return (drawn - begun) / len(mails) * 1000, (ended - drawn) / len(mails) * 1000, made


def _rate(count: int, run) -> float:
    begun = time.perf_counter()
    run()
    return count / (time.perf_counter() - begun)


async def _raw(port: int, made: list[_Made], send: Callable[[aiosmtplib.SMTP, _Made], Awaitable[Any]]) -> None:
    async def lane(mine: list[_Made]) -> None:
        async with aiosmtplib.SMTP(hostname="127.0.0.1", port=port, start_tls=False) as client:
            for each in mine:
                await send(client, each)

    await asyncio.gather(*(lane(made[start::CONNECTIONS]) for start in range(CONNECTIONS)))


async def _send_bytes(client: aiosmtplib.SMTP, made: _Made) -> None:
    await client.sendmail(sender_address(), [made.recipient], made.content)


async def _build_and_send(client: aiosmtplib.SMTP, made: _Made) -> None:
    """Both parts and the headers that any mail has, by the standard library."""
    subject, text, html = made.parts
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender_address(), made.recipient, subject
    message["Date"], message["Message-ID"] = localtime(), make_msgid(domain="club.example")
    message.set_content(text)
    message.add_alternative(html, subtype="html")
    await client.send_message(message)


@contextmanager
def _sink(seconds: float) -> Iterator[int]:
    """A relay of its own process that takes so long for each reply; its port."""
    port = free_port()
    words = [sys.executable, "-m", "bench.sink", str(port), str(seconds)]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield port
        process.terminate()
