"""Relays that say what none should: the journal tells it in French, and nobody else's message is touched (M8, M9)."""

import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from clubapp.doctor.check import CheckProblem
from clubapp.doctor.relay_check import check_relay
from clubapp.mail.transport import delivery
from clubapp.mail.transport.delivery import deliver
from tests.conftest import forget_settings, on_sqlite
from tests.mail.mailings import address_of, fates, invite, mails

pytestmark = on_sqlite

REPLIES = {"": b"220 odd", "EHLO": b"250 odd", "DATA": b"354 go on", ".": b"250 taken", "QUIT": b"221 bye"}
FAILED = "La connexion au serveur d’envoi a échoué\u00a0: "
NO_REPLY = "sa réponse n’est pas celle d’un serveur d’envoi"
Odd = Callable[..., None]


@contextmanager
def talking(replies: dict[str, bytes]) -> Iterator[int]:
    """A server that answers each command by its first word; "" greets, "." follows the message. Its port."""

    class Talk(socketserver.StreamRequestHandler):
        def say(self, word: str, line: str = "") -> bytes:
            reply = next((replies[key] for key in (line or word, word) if key in replies), b"250 fine")
            self.wfile.write(reply + b"\r\n" if reply else b"")
            return reply

        def handle(self) -> None:
            if not self.say(""):
                return
            while line := self.rfile.readline().decode().strip():
                reply = self.say(line.split()[0].upper(), line)
                if not reply:
                    return
                if reply.startswith(b"354"):
                    while self.rfile.readline() not in (b".\r\n", b""):
                        pass
                    self.say(".")

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Talk) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        try:
            yield server.server_address[1]
        finally:  # its thread would turn without end on the closed socket
            server.shutdown()


@pytest.fixture
def odd(club: str, environment: pytest.MonkeyPatch) -> Odd:
    """`odd(RCPT=b"451 …")` delivers once through such a relay."""

    def send(login: str = "", **replies: bytes) -> None:
        with talking(REPLIES | replies) as port:
            environment.setenv("CLUB_SMTP_URL", f"smtp://{login}127.0.0.1:{port}")
            forget_settings()
            deliver()

    return send


def why() -> str:
    """What the journal says of the one message."""
    (mail,) = mails()
    return str(mail.reason or mail.relay_answer)


@pytest.mark.parametrize(
    ("replies", "state", "told"),
    [
        ({"RCPT": b"451 4.3.0 r\xe9essayez"}, "pending", "451 4.3.0 r\ufffdessayez"),
        ({"RCPT": b"550 5.1.1 \xe0 refus\0er"}, "failed", "550 5.1.1 \ufffd refuser"),
        ({"RCPT": b"quoi ?"}, "pending", FAILED + NO_REPLY),
        ({"MAIL": b"451 occup\xe9"}, "pending", "451 occup\ufffd"),
        ({"MAIL": b"quoi ?"}, "pending", FAILED + NO_REPLY),
        ({"EHLO": b"quoi ?", "HELO": b"quoi ?"}, "pending", FAILED + NO_REPLY),
        ({"": b"554 5.7.1 go away"}, "pending", FAILED + "554 5.7.1 go away"),
        ({"": b""}, "pending", FAILED),
        ({"DATA": b"quoi ?"}, "pending", FAILED + NO_REPLY),
        ({".": b"451 occup\xe9"}, "pending", "451 occup\ufffd"),
        ({".": b"250 accept\xe9"}, "sent", "250 accept\ufffd"),
        ({".": b"quoi ?"}, "uncertain", "le message est peut-être parti"),
    ],
)
def test_odd_replies_are_told_and_take_nothing_else_along(
    odd: Odd, replies: dict[str, bytes], state: str, told: str
) -> None:
    invite("Marie Durand")
    odd(**replies)
    assert fates() == {address_of("Marie Durand"): state}
    assert told in why()
    assert not any(word in why() for word in ("Malformed", "Error", "Unexpected", "-1", "("))


@pytest.mark.parametrize("offered", ["250 odd", "250-odd\r\n250 AUTH XOAUTH2"])
def test_a_relay_that_offers_no_way_to_sign_in_is_told_as_such(odd: Odd, offered: str) -> None:
    invite("Marie Durand")
    odd(login="club:p4ssw0rd@", EHLO=offered.encode())
    assert why() == FAILED + "ce serveur ne propose pas d’identification"


def test_a_message_that_cannot_be_recorded_takes_no_other_with_it(odd: Odd, environment: pytest.MonkeyPatch) -> None:
    """Fails when the steps of one commit share the fate of the worst of them."""
    invite("Marie Durand", "Zoe Lefebvre", "Paul Vasseur")
    poison = delivery.claims.mark_failed
    environment.setattr(delivery.claims, "mark_failed", lambda *given: [poison(*given), 1 / 0])
    with pytest.raises(ZeroDivisionError):
        odd(**{f"RCPT TO:<{address_of('Zoe Lefebvre')}>": b"550 no"})
    states = fates()
    assert (states[address_of("Marie Durand")], states[address_of("Paul Vasseur")]) == ("sent", "sent")


PLAIN = b"250-odd\r\n250 AUTH PLAIN"


@pytest.mark.parametrize(
    ("login", "replies", "told"),
    [
        ("", {"": b"554 refus\xe9"}, "connexion\u00a0: 554 refus\ufffd"),
        ("", {"": b"SSH-2.0-OpenSSH"}, f"connexion\u00a0: {NO_REPLY}"),
        ("", {"": b""}, "connexion\u00a0: il l’a coupée"),
        ("club:p4ssw0rd@", {"EHLO": b"250-odd\r\n250 AUTH XOAUTH2"}, "identification\u00a0: ce serveur ne propose pas"),
        ("club:p4ssw0rd@", {"EHLO": PLAIN, "AUTH": b"454 4.7.0 later"}, "identification\u00a0: 454 4.7.0 later"),
        ("club:p4ssw0rd@", {"EHLO": PLAIN, "AUTH": b"535 no"}, "le mot de passe est refusé (535 no)"),
        ("club:p4ssw0rd@", {"EHLO": PLAIN, "AUTH": b"535-no\r\n535 see our pages"}, "refusé (535 no see our pages)"),
    ],
)
def test_the_doctor_tells_the_same_in_french(login: str, replies: dict[str, bytes], told: str) -> None:
    with talking(REPLIES | replies) as port, pytest.raises(CheckProblem) as complaint:
        check_relay(f"smtp://{login}127.0.0.1:{port}", 5)
    assert told in str(complaint.value)


@pytest.mark.parametrize("scheme", ["smtps", "smtp"])
def test_a_relay_that_hangs_up_at_once_is_told_in_french(
    club: str, environment: pytest.MonkeyPatch, scheme: str
) -> None:
    invite("Marie Durand")
    with talking({"": b""}) as port:
        environment.setenv("CLUB_SMTP_URL", f"{scheme}://127.0.0.1:{port}")
        forget_settings()
        deliver()
    assert why() in {FAILED + told for told in ("il l’a coupée", "la liaison a été coupée")}
