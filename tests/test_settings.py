"""A wrong setting stops the start with its name and the reason; a missing one has its default (E1)."""

import stat
import threading
from pathlib import Path

import pytest

from clubapp import settings as settings_module
from clubapp.settings import ROOT, Settings, SettingsError, settings
from tests.conftest import forget_settings


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("CLUB_PUBLIC_URL", "club.example", "une origine comme https://club.example"),
        ("CLUB_PUBLIC_URL", "https://club.example/site", "sans chemin"),
        ("CLUB_PUBLIC_URL", "https://club.example:abc", "une origine"),
        ("CLUB_PORT", "trois mille", "un nombre entier"),
        ("CLUB_PORT", "70000", "au plus 65535"),
        ("CLUB_DATABASE_URL", "mysql://club@localhost/club", "postgresql://"),
        ("CLUB_DATABASE_URL", "postgresql://club@localhost:port/club", "postgresql://"),
        ("CLUB_REDIS_URL", "localhost:6379", "redis://"),
        ("CLUB_REDIS_URL", "redis://:hunter2/x@localhost:6379/0", "redis://"),
        ("CLUB_WORKERS", "0", "au moins 1"),
        ("CLUB_MEDIA_URL", "/srv/media", "file:///chemin"),
        ("CLUB_MEDIA_URL", "s3://", "s3://bucket"),
        ("AWS_ENDPOINT_URL", "s3.example", "comme https://s3.example"),
        ("CLUB_SMTP_URL", "mail.club.example:25", "smtp://"),
        ("CLUB_SMTP_URL", "smtp://", "smtp://"),
        ("CLUB_SMTP_URL", "smtp://mail.club.example:99999", "smtp://"),
        ("CLUB_SECRET_KEY", " , ", "une clé d’au moins 32 caractères"),
        ("CLUB_SECRET_KEY", "a-key-of-thirty-one-characters.", "au moins 32"),
        ("CLUB_SECRET_KEY", f"{'new-' * 8},too-short", "au moins 32"),
        ("CLUB_TRUSTED_PROXIES", "caddy", "comme 127.0.0.1,10.0.0.0/8"),
        ("CLUB_TRUSTED_PROXIES", "*", "comme 127.0.0.1,10.0.0.0/8"),
        ("CLUB_MAIL_PER_MINUTE", "-1", "au moins 0"),
        ("CLUB_TIMEZONE", "Lille", "Europe/Paris"),
        ("CLUB_CONTACT_EMAIL", "le club", "adresse e-mail invalide"),
        ("CLUB_REPLY_TO", "@club.example", "adresse e-mail invalide"),
        ("CLUB_REPLY_TO", "hélène@club.example", "adresse e-mail invalide"),
        ("CLUB_MAIL_FROM", "pas", "un nom et une adresse"),
        ("CLUB_MAIL_FROM", "", "un nom et une adresse"),
        ("CLUB_MAIL_FROM", "Cercle, Nord <contact@club.example>", "un nom et une adresse"),
        ("CLUB_MAIL_FROM", "Cercle <contact@club.example>, a@club.example", "un nom et une adresse"),
        ("CLUB_MAIL_FROM", "Cercle\n<contact@club.example>", "un nom et une adresse"),
        ("CLUB_CONTACT_PHONE", "12", "un numéro de téléphone"),
        ("CLUB_LINKEDIN_URL", "javascript:alert(1)", "https://www.linkedin.com"),
        ("CLUB_LINKEDIN_URL", "https://", "https://www.linkedin.com"),
        ("CLUB_DEMO", "peut-être", "0 ou 1"),
        ("CLUB_LOGO", "/nowhere/logo.png", "le chemin d’une image PNG, JPEG ou WebP"),
        ("CLUB_LOGO", __file__, "le chemin d’une image PNG, JPEG ou WebP"),
        ("CLUB_LOGO", str(ROOT / "assets" / "favicon.ico"), "le chemin d’une image PNG, JPEG ou WebP"),
        ("CLUB_LOG_FORMAT", "xml", "console ou json"),
        ("CLUB_ADMIN_SECOND_FACTOR", "always", "optional ou required"),
        ("CLUB_PUBLISH", "later", "at_once ou after_consent"),
        ("CLUB_LEGAL_RNA", "595001234", "W suivi de 9\u00a0chiffres"),
        ("CLUB_LEGAL_SIRET", "732 829 320 00075", "14\u00a0chiffres"),
        ("CLUB_NAME", "Club " * 17, "au plus 80 caractères"),
        ("CLUB_LEGAL_PUBLISHER", "Club\x1b[31m", "sans caractère de contrôle"),
        ("CLUB_LEGAL_DIRECTOR", "X" * 501, "au plus 500 caractères"),
        ("CLUB_METRICS_TOKEN", "fifteen-letters", "au moins 16 caractères"),
        ("CLUB_SENTRY_DSN", "sentry.example/1", "comme https://clé@sentry.example/1"),
        ("CLUB_SENTRY_DSN", "https://sentry.example/1", "comme https://clé@sentry.example/1"),
    ],
)
def test_a_wrong_value_is_refused_by_name(environment: pytest.MonkeyPatch, name: str, value: str, reason: str) -> None:
    environment.setenv(name, value)
    forget_settings()
    with pytest.raises(SettingsError) as refused:
        settings()
    line = str(refused.value)
    assert line.startswith(f"{name}: ")
    assert reason in line
    assert "\n" not in line


@pytest.mark.parametrize(
    ("name", "value", "kept"),
    [
        ("mail_from", "Cercle du Canal <contact@canal.example>", "Cercle du Canal <contact@canal.example>"),
        ("mail_from", '"Café, Nord" <contact@canal.example>', '"Café, Nord" <contact@canal.example>'),
        ("mail_from", "contact@école.example", "contact@xn--cole-9oa.example"),
        ("reply_to", "helene@école.example", "helene@xn--cole-9oa.example"),
        ("contact_phone", "03 53 01 55 01", "03 53 01 55 01"),
        ("contact_phone", "", ""),
        ("linkedin_url", "www.linkedin.com/company/canal", "https://www.linkedin.com/company/canal"),
        ("linkedin_url", "", ""),
        ("legal_publisher", "Cercle du Canal,\n1 quai du Canal\t", "Cercle du Canal, 1 quai du Canal"),
    ],
)
def test_the_identity_may_be_written_as_people_do(
    environment: pytest.MonkeyPatch, name: str, value: str, kept: str
) -> None:
    environment.setenv(f"CLUB_{name.upper()}", value)
    forget_settings()
    assert getattr(settings(), name) == kept


def test_a_file_in_another_encoding_is_named(
    environment: pytest.MonkeyPatch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".env").write_bytes("CLUB_NAME=Café\n".encode("latin-1"))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SettingsError, match="UTF-8"):
        settings()


def test_each_wrong_value_has_its_line(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("CLUB_PORT", "x")
    environment.setenv("CLUB_SMTP_URL", "x")
    forget_settings()
    with pytest.raises(SettingsError) as refused:
        settings()
    assert [line.split(":")[0] for line in str(refused.value).splitlines()] == ["CLUB_PORT", "CLUB_SMTP_URL"]


@pytest.mark.parametrize(("redis", "needed"), [("", "CLUB_REDIS_URL"), ("redis://localhost:6379", "CLUB_DATABASE_URL")])
def test_several_processes_say_what_they_need(environment: pytest.MonkeyPatch, redis: str, needed: str) -> None:
    environment.setenv("CLUB_WORKERS", "2")
    environment.setenv("CLUB_REDIS_URL", redis)
    forget_settings()
    with pytest.raises(SettingsError, match=f"CLUB_WORKERS: .*{needed}"):
        settings()


def test_defaults_are_the_contracts(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    environment.chdir(tmp_path)
    environment.delenv("CLUB_DATA_DIR")
    forget_settings()
    found = settings()
    assert (found.public_url, found.host, found.port) == ("http://localhost:3000", "127.0.0.1", 3000)
    assert found.data_dir == tmp_path / "data"
    assert found.database_url == f"sqlite:///{tmp_path / 'data' / 'club.sqlite3'}"
    assert found.media_url == (tmp_path / "data" / "media").as_uri()
    assert (found.workers, found.timezone, found.demo, found.log_format) == (1, "Europe/Paris", False, "console")
    assert Settings(**found.model_dump(by_alias=True)) == found  # none would be refused, were it written down


def test_a_file_beside_the_program_is_read_after_the_environment(
    environment: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    environment.chdir(tmp_path)
    (tmp_path / ".env").write_text("CLUB_NAME=Cercle du Canal\nCLUB_REGION=Artois\n")
    environment.setenv("CLUB_REGION", "Flandre")
    forget_settings()
    assert (settings().name, settings().region) == ("Cercle du Canal", "Flandre")


def test_the_key_is_made_once_and_kept_from_others(environment: pytest.MonkeyPatch) -> None:
    environment.delenv("CLUB_SECRET_KEY")
    forget_settings()
    first = settings().keys
    forget_settings()
    kept = settings().data_dir / "secret.key"
    assert settings().keys == first
    assert len(first[0]) >= 43
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_an_empty_key_file_is_never_signed_with(environment: pytest.MonkeyPatch) -> None:
    environment.delenv("CLUB_SECRET_KEY")
    environment.setattr(settings_module, "KEY_SECONDS", 0.1)
    forget_settings()
    kept = settings().data_dir / "secret.key"
    kept.parent.mkdir(parents=True)
    kept.touch()
    with pytest.raises(SettingsError, match="est vide"):
        _ = settings().keys


def test_a_key_that_another_process_is_writing_is_waited_for(environment: pytest.MonkeyPatch) -> None:
    environment.delenv("CLUB_SECRET_KEY")
    forget_settings()
    kept = settings().data_dir / "secret.key"
    kept.parent.mkdir(parents=True)
    kept.touch()
    writing = threading.Timer(0.2, kept.write_text, ["the-key-of-the-first"])
    writing.start()
    assert settings().keys == ("the-key-of-the-first",)
    writing.join()


def test_keys_are_listed_newest_first(environment: pytest.MonkeyPatch) -> None:
    new, old = "new-key-" * 4, "old-key-" * 4
    environment.setenv("CLUB_SECRET_KEY", f" {new} , {old},")
    forget_settings()
    assert settings().keys == (new, old)


@pytest.mark.parametrize(
    ("address", "origins"),
    [
        ("https://club.example", ("https://club.example",)),
        ("http://127.0.0.1:3107", ("http://localhost:3107", "http://127.0.0.1:3107", "http://[::1]:3107")),
    ],
)
def test_our_origins(environment: pytest.MonkeyPatch, address: str, origins: tuple[str, ...]) -> None:
    environment.setenv("CLUB_PUBLIC_URL", address)
    forget_settings()
    assert settings().origins == origins
