"""What the doctor sees of an installation, and how to mend it."""

import os
import shutil
import socketserver
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from clubapp import clock, database
from clubapp.database import transaction
from clubapp.doctor import Check, Level, installation_checks
from clubapp.services.base import audit
from clubapp.services.base.actors import SYSTEM
from tests.certificates import Authority
from tests.conftest import forget_settings, on_sqlite
from tests.factories import add_admin

At = Callable[[str], datetime]


def looked_at() -> dict[str, Check]:
    forget_settings()
    return {check.name: check for check in installation_checks.run_installation_checks()}


def ill(found: dict[str, Check]) -> set[str]:
    return {name for name, check in found.items() if check.level is Level.FAILED}


@pytest.fixture
def administered(club: str) -> str:
    with transaction() as session:
        add_admin(session)
    return club


def test_a_sound_installation_has_one_wish_at_most(administered: str) -> None:
    found = looked_at()
    assert list(found) == [
        "version", "réglages", "clé de signature", "base de données", "schéma", "compte de la base", "administration",
        "double vérification", "codes de connexion", "journal des actes", "refus", "demandes sur les données",
        "dossier de données", "images", "Redis", "envoi des e-mails", "domaine des e-mails", "WebSocket", "certificat",
        "heure", "sauvegardes",
    ]  # fmt: skip
    assert {name for name, check in found.items() if check.level is not Level.OK} == {"sauvegardes"}
    assert not ill(found)
    assert found["base de données"].text.startswith({"sqlite": "SQLite", "postgres": "PostgreSQL"}[administered])


def test_without_administrators_nobody_lacks_a_second_factor(club: str) -> None:
    found = looked_at()
    assert found["double vérification"].text == "personne à qui la demander encore"
    with transaction() as session:
        add_admin(session)
    assert looked_at()["double vérification"].text.startswith("1 administrateur n’en a pas")


def test_a_wrong_setting_ends_the_examination_with_its_name(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("CLUB_PORT", "x")
    environment.setenv("CLUB_TIMEZONE", "Lille")
    found = looked_at()
    assert list(found) == ["réglages"]
    assert "CLUB_PORT: attendu" in found["réglages"].text
    assert "CLUB_TIMEZONE: fuseau" in found["réglages"].text
    assert "\n" not in found["réglages"].text


def test_a_database_that_is_away_is_told_once(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("CLUB_DATABASE_URL", "postgresql://club:a-password@127.0.0.1:1/club")
    found = looked_at()
    assert ill(found) == {"base de données"}
    assert "a-password" not in str(found)
    assert "CLUB_DATABASE_URL" in found["base de données"].mend
    assert "schéma" not in found


@on_sqlite
def test_a_database_file_that_is_gone_is_to_be_put_back(club: str) -> None:
    Path(str(database.engine().url.database)).unlink()
    assert looked_at()["base de données"].text == "le fichier de la base a disparu"


def test_a_schema_is_asked_for_its_version(administered: str) -> None:
    with transaction() as session:
        before = session.connection().execute(text("SELECT version_num FROM alembic_version")).scalar_one()
    try:
        _set_version("0001")
        assert looked_at()["schéma"].mend == "lancez «\u00a0migrate\u00a0»"
        _set_version("9999")
        newer = looked_at()["schéma"]
        assert newer.level is Level.FAILED
        assert "9999" in newer.text
    finally:
        _set_version(before)


def _set_version(version: str) -> None:
    with database.engine().begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :version"), {"version": version})


def test_a_club_that_nobody_administers_is_told(club: str) -> None:
    assert "admin add" in looked_at()["administration"].mend


def test_a_key_that_others_may_read_is_a_fault(club: str, environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    environment.delenv("CLUB_SECRET_KEY")
    key = tmp_path / "data" / "secret.key"
    assert looked_at()["clé de signature"].level is Level.OK
    key.chmod(0o644)
    told = looked_at()["clé de signature"]
    assert told.level is Level.FAILED
    assert told.mend == f"chmod 600 {key}"
    assert key.read_text() not in str(told)


def test_space_that_runs_out_is_told_in_time(club: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for free, level in ((10**12, Level.OK), (9 * 10**8, Level.WARNING), (9 * 10**7, Level.FAILED)):
        usage = shutil._ntuple_diskusage(10**12, 0, free)  # pyright: ignore[reportAttributeAccessIssue]
        monkeypatch.setattr(shutil, "disk_usage", lambda _folder, usage=usage: usage)
        assert looked_at()["dossier de données"].level is level


def test_a_disk_that_takes_nothing_is_told(club: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_file: int) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "fsync", full)
    told = looked_at()["dossier de données"]
    assert told.level is Level.FAILED
    assert "il n’y a plus de place sur le disque" in told.text


def test_a_public_site_is_told_what_it_still_borrows(club: str, environment: pytest.MonkeyPatch) -> None:
    environment.setenv("CLUB_PUBLIC_URL", "http://club.example")
    assert "club de démonstration" in looked_at()["réglages"].text, "what stops the start comes first"
    environment.setenv("CLUB_PUBLIC_URL", "https://club.example")
    environment.setenv("CLUB_NAME", "Cercle de la Lys")
    found = looked_at()
    assert found["réglages"].level is Level.FAILED
    assert found["réglages"].text.split("\u00a0: ")[1].split(", ") == [
        "CLUB_MAIL_FROM", "CLUB_REPLY_TO", "CLUB_CONTACT_EMAIL", "CLUB_CONTACT_PHONE", "CLUB_LINKEDIN_URL",
        "CLUB_ANIMATOR_NAME", "CLUB_REGION", "CLUB_LEGAL_PUBLISHER", "CLUB_LEGAL_HOST", "CLUB_LEGAL_DIRECTOR",
    ]  # fmt: skip
    assert found["envoi des e-mails"].level is Level.WARNING
    environment.setenv("CLUB_DEMO", "1")
    assert looked_at()["réglages"].mend == "mettez CLUB_DEMO à 0"


def test_services_that_are_away_are_named_with_their_setting(club: str, environment: pytest.MonkeyPatch) -> None:
    environment.setenv("CLUB_REDIS_URL", "redis://:hidden@127.0.0.1:1")
    environment.setenv("CLUB_SMTP_URL", "smtp://127.0.0.1:1")
    environment.setenv("CLUB_MEDIA_URL", "s3://pictures/club")
    environment.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    found = looked_at()
    assert ill(found) == {"Redis", "envoi des e-mails", "images"}
    assert "hidden" not in str(found)
    assert {"CLUB_REDIS_URL", "CLUB_SMTP_URL", "CLUB_MEDIA_URL"} <= set(
        " ".join(check.mend.replace(",", "") for check in found.values()).split()
    )


def test_a_clock_that_goes_back_is_told(club: str, at: At) -> None:
    real = clock.now()
    with transaction() as session:
        audit.record(session, SYSTEM, "test.done")
    assert looked_at()["heure"].level is Level.OK
    at("2020-01-01T10:00")
    told = looked_at()["heure"]
    assert told.level is Level.FAILED
    assert told.mend.startswith("réglez l’horloge")
    assert str(real.year) in told.text


def test_a_clock_that_leapt_ahead_is_told(club: str, at: At) -> None:
    at("2026-11-20T10:00")
    clock.watch()
    at("2028-11-20T10:00")
    told = looked_at()["heure"]
    clock.watch(on=False)
    assert told.level is Level.FAILED
    assert "seuls les e-mails de connexion partent" in told.text


def test_backups_that_are_not_kept_are_told(club: str, environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    environment.setenv("CLUB_BACKUP_DIR", str(tmp_path / "backups"))
    told = looked_at()["sauvegardes"]
    assert told.level is Level.FAILED
    assert told.text.startswith("aucune dans")
    assert told.mend.startswith("vérifiez que le site tourne")


@on_sqlite
def test_a_certificate_that_ends_soon_or_is_not_trusted_is_told(
    club: str, environment: pytest.MonkeyPatch, tmp_path: Path, at: At
) -> None:
    today = datetime.now(UTC)
    authority = Authority.made(tmp_path)
    environment.setenv("SSL_CERT_FILE", str(authority.certificate))
    with serving_tls(authority.server("IP:127.0.0.2")) as port:
        environment.setenv("CLUB_PUBLIC_URL", f"https://127.0.0.2:{port}")
        told = looked_at()["certificat"]
        assert (told.level, told.text, told.alerts) == (Level.WARNING, "expire aujourd’hui ou demain", True)
        at((today - timedelta(days=14)).strftime("%Y-%m-%dT%H:%M"))  # the certificate is of one day
        assert looked_at()["certificat"].level is Level.OK
        environment.setenv("SSL_CERT_FILE", ssl.get_default_verify_paths().openssl_cafile)
        told = looked_at()["certificat"]
        assert (told.level, told.text[:26]) == (Level.FAILED, "refusé par les navigateurs")


@contextmanager
def serving_tls(secured: ssl.SSLContext) -> Iterator[int]:
    """The port of a server on 127.0.0.2 that ends each connection after the handshake."""

    class Handshake(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            with suppress(OSError):
                secured.wrap_socket(self.request, server_side=True).close()

    with socketserver.ThreadingTCPServer(("127.0.0.2", 0), Handshake) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()


def test_a_journal_of_acts_that_was_tampered_with_is_told(club: str) -> None:
    """Fails when the doctor does not read the chain of acts (T1)."""
    with transaction() as session:
        audit.record(session, SYSTEM, "place.offered")
    assert looked_at()["journal des actes"].level is Level.OK
    with transaction() as session:
        session.connection().execute(text("UPDATE act_chain SET number = 2"))
    told = looked_at()["journal des actes"]
    assert told.level is Level.FAILED
    assert "acte n°\u00a02\u00a0: il manque" in told.text
