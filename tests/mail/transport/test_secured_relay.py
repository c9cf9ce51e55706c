"""A relay that is reached encrypted, and asks who one is: nothing goes to another, and nothing in clear (M8, R3)."""

import ssl
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest

from clubapp.doctor import Level, installation_checks
from clubapp.mail.transport.delivery import Summary, deliver
from tests.certificates import Authority
from tests.conftest import forget_settings, on_sqlite
from tests.mail.mailings import address_of, fates, invite
from tests.services.mail_log.mail_log_steps import only
from tests.smtp_server import Relay, running_relay

# A relay that takes passwords in clear is one of the dangers here.
pytestmark = [on_sqlite, pytest.mark.filterwarnings("ignore:Requiring AUTH")]
LOGIN = (b"club", b"p4ssw0rd")
MARIE = address_of("Marie Durand")
HERE = "IP:127.0.0.1"
NOT_RECOGNISED = "La connexion au serveur d’envoi a échoué\u00a0: son certificat n’est pas reconnu"
NOT_ADMITTED = "La connexion au serveur d’envoi a échoué\u00a0: l’identifiant ou le mot de passe est refusé"
NOT_ENCRYPTED = "La connexion au serveur d’envoi a échoué\u00a0: ce serveur ne propose pas de chiffrement"

Secured = Callable[..., AbstractContextManager[Relay]]


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority.made(tmp_path_factory.mktemp("authority"))


@pytest.fixture(params=["smtp+starttls", "smtps"])
def secured(
    request: pytest.FixtureRequest, club: str, authority: Authority, environment: pytest.MonkeyPatch
) -> Secured:
    """A relay known under a name, to a club that trusts its authority and gives a password."""
    environment.setenv("SSL_CERT_FILE", str(authority.certificate))

    @contextmanager
    def running(name: str = HERE, password: str = "p4ssw0rd") -> Iterator[Relay]:
        with running_relay(scheme=request.param, tls=authority.server(name), login=LOGIN) as relay:
            environment.setenv("CLUB_SMTP_URL", relay.url.replace("p4ssw0rd", password))
            forget_settings()
            yield relay

    return running


def nothing_left(relay: Relay) -> None:
    """The message waits, the relay has none of it, and nobody on the way saw anything."""
    assert fates() == {MARIE: "pending"}
    assert relay.accepted == []
    in_clear = bytes(relay.in_clear).upper()
    assert all(word not in in_clear for word in (b"AUTH", b"MAIL", b"RCPT", b"SUBJECT"))


def told(sentence: str, seen: str = "") -> None:
    """The journal says why it waits, and Santé, which looks for itself, why no other will leave."""
    assert only().words.startswith(sentence)
    check = next(check for check in installation_checks.run_installation_checks() if check.name == "envoi des e-mails")
    assert check.level is Level.FAILED
    assert (seen or sentence.partition("\u00a0: ")[2]) in check.text
    assert check.mend == "vérifiez CLUB_SMTP_URL"


def test_a_message_goes_through_and_nobody_on_the_way_reads_it(secured: Secured) -> None:
    invite("Marie Durand")
    with secured() as relay:
        assert deliver() == Summary(sent=1)
        check = next(
            check for check in installation_checks.run_installation_checks() if check.name == "envoi des e-mails"
        )
        assert check.text.endswith("répond, chiffré, identifié")
    assert relay.recipients == {MARIE: 1}
    in_clear = bytes(relay.in_clear).upper()
    assert all(word not in in_clear for word in (b"AUTH", b"MAIL", b"SUBJECT"))


def test_a_certificate_of_an_unknown_authority_stops_it(secured: Secured, environment: pytest.MonkeyPatch) -> None:
    environment.setenv("SSL_CERT_FILE", ssl.get_default_verify_paths().openssl_cafile)
    invite("Marie Durand")
    with secured() as relay:
        assert deliver() == Summary(retried=1)
        nothing_left(relay)
        told(NOT_RECOGNISED)


def test_another_server_s_certificate_stops_it(secured: Secured) -> None:
    invite("Marie Durand")
    with secured(name="DNS:other.example") as relay:
        assert deliver() == Summary(retried=1)
        nothing_left(relay)
        told(NOT_RECOGNISED)


def test_a_refused_password_stops_it_and_is_not_shown(secured: Secured) -> None:
    invite("Marie Durand")
    with secured(password="of-last-year") as relay:
        assert deliver() == Summary(retried=1)
        nothing_left(relay)
        told(NOT_ADMITTED)
        assert "of-last-year" not in only().words


def test_a_relay_that_no_longer_offers_encryption_gets_nothing(club: str, environment: pytest.MonkeyPatch) -> None:
    """As when somebody on the way takes the offer out of its answer."""
    invite("Marie Durand")
    with running_relay(login=LOGIN) as relay:
        environment.setenv("CLUB_SMTP_URL", relay.url.replace("smtp://", "smtp+starttls://"))
        forget_settings()
        assert deliver() == Summary(retried=1)
        nothing_left(relay)
        told(NOT_ENCRYPTED, "chiffrement\u00a0: ce serveur n’en propose pas")
