"""Where mail goes, from one setting."""

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from clubapp.mail.transport import file_mailbox
from clubapp.mail.transport.delivery import Summary, deliver
from clubapp.mail.transport.smtp import connection_config
from clubapp.settings import settings
from tests.conftest import on_sqlite
from tests.mail.mailings import ask_for_link, invite, mails
from tests.smtp_server import DROP, Relay, once

pytestmark = on_sqlite


@pytest.mark.parametrize(
    ("url", "port", "tls", "starttls"),
    [
        ("smtp://relay.example", 25, False, False),
        ("smtps://relay.example", 465, True, False),
        ("smtp+starttls://relay.example", 587, False, True),
        ("smtp+starttls://relay.example:2525", 2525, False, True),
    ],
)
def test_the_scheme_chooses_port_and_encryption(
    environment: pytest.MonkeyPatch, url: str, port: int, tls: bool, starttls: bool
) -> None:
    made = connection_config(url)
    assert made.MAIL_SERVER == "relay.example"
    assert port == made.MAIL_PORT
    assert made.MAIL_SSL_TLS is tls
    assert made.MAIL_STARTTLS is starttls
    assert made.VALIDATE_CERTS
    assert not made.USE_CREDENTIALS


def test_user_and_password_are_decoded_and_the_environment_is_not_read(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("TIMEOUT", "1")
    environment.setenv("MAIL_PASSWORD", "another")
    made = connection_config("smtps://marie%40club:p%2Fss@relay.example")
    assert (made.MAIL_USERNAME, made.MAIL_PASSWORD.get_secret_value()) == ("marie@club", "p/ss")
    assert made.USE_CREDENTIALS
    assert made.TIMEOUT > 1
    assert "p/ss" not in repr(made)


def test_without_a_relay_each_mail_is_one_file(club: str) -> None:
    invite("Marie Durand", "Paul Vasseur")
    ask_for_link()
    assert deliver() == Summary(sent=3)
    folder = Path(settings().data_dir) / "mail"
    names = sorted(path.name for path in folder.iterdir())
    assert len(names) == 3
    assert all(re.fullmatch(r"\d{8}T\d{6}Z-[0-9a-f-]{36}\.eml", name) for name in names)
    assert {name[17:53] for name in names} == {mail.id for mail in mails()}


def test_a_folder_that_cannot_be_is_told_in_french(club: str) -> None:
    settings().data_dir.mkdir(parents=True, exist_ok=True)
    (settings().data_dir / "mail").write_text("")
    invite("Marie Durand")
    assert deliver() == Summary(retried=1)
    assert [mail.relay_answer for mail in mails()] == ["un fichier y tient la place d’un dossier"]


def test_captured_mail_is_read_back_newest_first(club: str) -> None:
    invite("Marie Durand", title="Matinale d’été")
    deliver()
    ask_for_link()
    deliver()
    first, second = file_mailbox.list_newest()
    assert (first.kind, second.kind) == ("sign_in", "invitation")
    assert "Matinale d’été" in second.subject
    read = file_mailbox.open_mail(second.name)
    assert read is not None
    assert "Matinale d’été" in read.text
    assert read.html.startswith("<!DOCTYPE html>")


@pytest.mark.parametrize("name", ["../club", "..%2Fclub", "", "20260101T000000Z-", "20260101T000000Z-" + "0" * 36])
def test_no_other_file_is_read(environment: pytest.MonkeyPatch, name: str) -> None:
    assert file_mailbox.open_mail(name) is None


@pytest.mark.parametrize("reply", [DROP, "451 4.3.0 not now"])
def test_cut_before_the_relay_asks_for_the_message_it_is_sent_again(
    relay: Relay, later: Callable[[timedelta], None], reply: str
) -> None:
    relay.before_data = once(reply)
    invite("Marie Durand")
    assert deliver() == Summary(retried=1)
    later(timedelta(minutes=1))
    assert deliver() == Summary(sent=1)
    assert list(relay.recipients.values()) == [1]
