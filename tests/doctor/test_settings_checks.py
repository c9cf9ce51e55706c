"""What the doctor sees of the settings, where they lead, and to whom things belong."""

import os
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import dns.message
import dns.rcode
import dns.resolver
import dns.rrset
import pytest
from sqlalchemy import text

from clubapp.database import transaction
from clubapp.doctor import Check, Level, mail_domain_check, settings_checks
from clubapp.doctor.check import run_check
from clubapp.doctor.relay_check import check_relay
from clubapp.services import backups
from clubapp.settings import settings
from tests.conftest import forget_settings
from tests.smtp_server import running_relay

OWN = {
    "CLUB_PUBLIC_URL": "https://lys.fr",
    "CLUB_NAME": "Cercle de la Lys",
    "CLUB_MAIL_FROM": "Cercle de la Lys <club@lys.fr>",
    "CLUB_REPLY_TO": "club@lys.fr",
    "CLUB_CONTACT_EMAIL": "club@lys.fr",
    "CLUB_CONTACT_PHONE": "+33353015509",
    "CLUB_LINKEDIN_URL": "",
    "CLUB_ANIMATOR_NAME": "Zoé Lefèbvre",
    "CLUB_REGION": "Nord",
    "CLUB_LEGAL_PUBLISHER": "Cercle de la Lys, 1 rue du Club, 59190 Hazebrouck",
    "CLUB_LEGAL_HOST": "Un hébergeur, 2 rue de la Machine, 59000 Lille",
    "CLUB_TRUSTED_PROXIES": "127.0.0.1",
}


@pytest.fixture
def own(environment: pytest.MonkeyPatch, tmp_path: Path) -> pytest.MonkeyPatch:
    """A public club with settings of its own, and no .env of this machine."""
    for name, value in OWN.items():
        environment.setenv(name, value)
    environment.chdir(tmp_path)
    forget_settings()
    return environment


def check() -> Check:
    """What is said of the settings."""
    forget_settings()
    return run_check("réglages", settings_checks.check_settings, settings())


def test_what_stops_the_start_is_told_before_a_name_that_is_none(own: pytest.MonkeyPatch) -> None:
    own.setenv("CLUB_SMPT_URL", "smtp://localhost")
    assert check().level is Level.WARNING
    own.delenv("CLUB_REGION")
    assert (check().level, "CLUB_REGION" in check().text) == (Level.FAILED, True)
    own.setenv("CLUB_PUBLIC_URL", "http://lys.fr")
    assert check().level is Level.FAILED


def test_a_club_of_its_own_is_well(own: pytest.MonkeyPatch) -> None:
    assert check() == Check("réglages", Level.OK, "adresse publique https://lys.fr")


@pytest.mark.parametrize(
    "name", ["CLUB_ANIMATOR_NAME", "CLUB_CONTACT_PHONE", "CLUB_LINKEDIN_URL", "CLUB_REGION", "CLUB_LEGAL_HOST"]
)
def test_each_value_that_is_left_of_the_demonstration_is_named(own: pytest.MonkeyPatch, name: str) -> None:
    own.delenv(name)
    if name == "CLUB_ANIMATOR_NAME":
        own.setenv("CLUB_LEGAL_DIRECTOR", "Zoé Lefèbvre")
    told = check()
    assert (told.level, told.text) == (Level.FAILED, f"encore du club de démonstration\u00a0: {name}")


def test_the_director_is_the_animator_unless_named(own: pytest.MonkeyPatch) -> None:
    own.setenv("CLUB_LEGAL_DIRECTOR", "Hélène Caudrelier")
    assert check().text.endswith("\u00a0: CLUB_LEGAL_DIRECTOR")


@pytest.mark.parametrize("network", ["0.0.0.0/0", "::/0", "127.0.0.1,0.0.0.0/1"])
def test_a_proxy_that_is_everybody_is_a_fault(own: pytest.MonkeyPatch, network: str) -> None:
    own.setenv("CLUB_TRUSTED_PROXIES", network)
    told = check()
    assert told.level is Level.FAILED
    assert network.rpartition(",")[2] in told.text


@pytest.mark.parametrize("where", ["environment", ".env"])
def test_a_name_that_is_no_setting_is_told_with_the_nearest(
    own: pytest.MonkeyPatch, tmp_path: Path, where: str
) -> None:
    if where == "environment":
        own.setenv("CLUB_SMPT_URL", "smtp://relay.lys.fr")
    else:
        (tmp_path / ".env").write_text("CLUB_SMPT_URL=smtp://relay.lys.fr\nCLUB_DOMAIN=lys.fr\nOTHER=1\n")
    told = check()
    assert told.level is Level.WARNING
    assert told.text.endswith("\u00a0: CLUB_SMPT_URL (vouliez-vous dire CLUB_SMTP_URL\u00a0?)")


def test_a_relay_that_catches_mail_is_told_at_a_public_address(own: pytest.MonkeyPatch) -> None:
    with running_relay() as relay:
        port = int(relay.url.rpartition(":")[2])
        assert check_relay(relay.url, 5, is_public=True) == f"le relais 127.0.0.1:{port} répond"
    with running_relay(ident="ESMTP MailHog") as relay:
        port = int(relay.url.rpartition(":")[2])
        told = run_check("envoi", lambda: check_relay(relay.url, 5, is_public=True))
        assert (told.level, "attrape" in told.text) == (Level.WARNING, True)
        assert check_relay(relay.url, 5) == f"le relais 127.0.0.1:{port} répond"


def test_backups_beside_the_data_are_told_until_they_are_copied(
    own: pytest.MonkeyPatch, club: str, tmp_path: Path
) -> None:
    folder = tmp_path / "backups"
    own.setenv("CLUB_BACKUP_DIR", str(folder))
    (tmp_path / "data").mkdir(exist_ok=True)
    forget_settings()
    assert backups.back_up_daily(3) is not None
    told = run_check("sauvegardes", settings_checks.check_backups, settings())
    assert (told.level, "sur le même disque" in told.text) == (Level.WARNING, True)
    (folder / ".copied").touch()
    assert "copiées ailleurs" in settings_checks.check_backups(settings())
    long_ago = time.time() - 3 * 86_400
    os.utime(folder / ".copied", (long_ago, long_ago))
    assert run_check("sauvegardes", settings_checks.check_backups, settings()).level is Level.WARNING


def test_a_database_of_another_account_is_told(club: str) -> None:
    assert "comme ce programme" in settings_checks.check_database_owner(settings())
    if club == "sqlite":
        os.chown(settings().database_url.removeprefix("sqlite:///"), 12_345, -1)
        told = run_check("compte", settings_checks.check_database_owner, settings())
        assert (told.level, "appartient à 12345" in told.text) == (Level.WARNING, True)
        return
    with transaction() as session:
        session.execute(text("CREATE ROLE someone_else"))
        session.execute(text("ALTER TABLE alembic_version OWNER TO someone_else"))
    try:
        told = run_check("compte", settings_checks.check_database_owner, settings())
        assert (told.level, "appartient à someone_else" in told.text) == (Level.WARNING, True)
    finally:
        with transaction() as session:
            session.execute(text("ALTER TABLE alembic_version OWNER TO CURRENT_USER"))
            session.execute(text("DROP ROLE someone_else"))


class Zone:
    """A name server in this process, which knows some texts."""

    def __init__(self) -> None:
        self.texts: dict[str, list[str]] = {}
        self.empty: set[str] = set()
        self._ask = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._ask.bind(("127.0.0.1", 0))
        self.port = self._ask.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            asked, who = self._ask.recvfrom(4096)
            if not asked:
                return
            query = dns.message.from_wire(asked)
            name = query.question[0].name.to_text(omit_final_dot=True)
            answer = dns.message.make_response(query)
            if name in self.texts:
                quoted = [f'"{one}"' for one in self.texts[name]]
                answer.answer.append(dns.rrset.from_text(f"{name}.", 60, "IN", "TXT", *quoted))
            elif name not in self.empty:
                answer.set_rcode(dns.rcode.NXDOMAIN)
            self._ask.sendto(answer.to_wire(), who)


@pytest.fixture
def zone(own: pytest.MonkeyPatch) -> Iterator[Zone]:
    """The names of lys.fr, which the resolver of this process asks for."""
    made = Zone()
    own.setenv("CLUB_SMTP_URL", "smtps://relay.lys.fr")
    forget_settings()
    resolver = dns.resolver.Resolver(configure=False)
    resolver.nameservers, resolver.port = ["127.0.0.1"], made.port
    own.setattr(dns.resolver, "default_resolver", resolver)
    yield made
    own.setattr(dns.resolver, "default_resolver", None)


def check_domain() -> Check:
    return run_check("domaine", mail_domain_check.check_mail_domain, settings(), 2)


def test_a_domain_without_records_is_told_which_are_missing(zone: Zone) -> None:
    zone.texts["lys.fr"] = ["google-site-verification=x"]
    assert "n’a pas de SPF, DKIM, DMARC" in check_domain().text
    zone.texts["lys.fr"].append("v=spf1 include:relay.lys.fr -all")
    zone.texts["_dmarc.lys.fr"] = ["v=DMARC1; p=quarantine"]
    assert "n’a pas de DKIM" in check_domain().text
    zone.empty.add("_domainkey.lys.fr")
    assert check_domain() == Check(
        "domaine", Level.OK, "lys.fr a SPF, DKIM et DMARC\u00a0; le serveur d’envoi est relay.lys.fr"
    )
    zone.texts["lys.fr"].append("v=spf1 -all")
    assert "2 SPF" in check_domain().text


def test_the_policy_of_a_domain_above_counts(zone: Zone, own: pytest.MonkeyPatch) -> None:
    own.setenv("CLUB_MAIL_FROM", "Club <club@mail.lys.asso.fr>")
    forget_settings()
    zone.texts["mail.lys.asso.fr"] = ["v=spf1 include:relay.lys.fr -all"]
    zone.empty.add("_domainkey.mail.lys.asso.fr")
    assert "n’a pas de DMARC" in check_domain().text
    zone.texts["_dmarc.lys.asso.fr"] = ["v=DMARC1; p=quarantine"]
    assert check_domain().level is Level.OK


def test_without_a_resolver_it_says_so(zone: Zone, own: pytest.MonkeyPatch) -> None:
    dns.resolver.get_default_resolver().port = 9
    assert check_domain().text.startswith("ne se vérifie pas d’ici")
    own.setenv("CLUB_MAIL_FROM", "Club <club@club.example>")
    forget_settings()
    assert check_domain().text == "sans objet"
