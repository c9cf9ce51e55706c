"""The only reader of the environment: every setting, validated at start (E1)."""

import os
import secrets
import time
from contextlib import suppress
from functools import cached_property, lru_cache
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Literal
from urllib.parse import SplitResult, urlsplit
from zoneinfo import ZoneInfo

from pydantic import Field, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from clubapp import settings_validators

ROOT = Path(__file__).resolve().parent.parent
KEY_SECONDS = 2
SHORTEST_KEY = 32
SHORTEST_TOKEN = 16
LOOPBACK = ("localhost", "127.0.0.1", "::1")


class SettingsError(Exception):
    """One line for each wrong setting: its name and the reason."""


class Settings(BaseSettings):
    """What an installation can choose. Scripts rely on the names and defaults (E1)."""

    model_config = SettingsConfigDict(env_prefix="CLUB_", env_file=".env", extra="ignore")

    public_url: str = ""
    host: str = "127.0.0.1"
    port: int = Field(default=3000, ge=1, le=65535)
    trusted_proxies: str = ""
    data_dir: Path = Path("data")
    database_url: str = ""
    redis_url: str = ""
    workers: int = Field(default=1, ge=1, le=64)
    media_url: str = ""
    # The names that every S3 client uses; the service's own defaults where they are empty.
    aws_access_key_id: str = Field(default="", validation_alias="AWS_ACCESS_KEY_ID")
    aws_secret_access_key: str = Field(default="", validation_alias="AWS_SECRET_ACCESS_KEY", repr=False)
    aws_session_token: str = Field(default="", validation_alias="AWS_SESSION_TOKEN", repr=False)
    aws_region: str = Field(default="", validation_alias="AWS_REGION")
    aws_endpoint_url: str = Field(default="", validation_alias="AWS_ENDPOINT_URL")
    secret_key: str = Field(default="", repr=False)
    smtp_url: str = ""
    mail_from: str = "Cercle du Beffroi <contact@beffroi.example>"
    reply_to: str = "helene.caudrelier@beffroi.example"
    mail_per_minute: int = Field(default=0, ge=0)
    sign_in_minutes: int = Field(default=30, ge=5, le=1440)
    timezone: str = "Europe/Paris"
    name: str = "Cercle du Beffroi"
    region: str = "Nord"
    contact_email: str = "contact@beffroi.example"
    contact_phone: str = "+33353015501"
    linkedin_url: str = "https://www.linkedin.com/company/cercle-du-beffroi"
    animator_name: str = "Hélène Caudrelier"
    legal_publisher: str = (
        "Cercle du Beffroi, association régie par la loi du 1er juillet 1901, 1 place du Beffroi, 59000 Lille"
    )
    legal_director: str = ""
    legal_host: str = "Hébergement du Beffroi, société fictive, 2 quai de l’Écluse, 59000 Lille"
    stat_companies: str = "30+"
    stat_events: str = "12+"
    stat_expertise: str = "30+"
    backup_dir: Path | None = None
    backup_keep: int = Field(default=14, ge=1)
    demo: bool = False
    log_format: Literal["console", "json"] = "console"
    metrics_token: str = Field(default="", repr=False)
    sentry_dsn: str = Field(default="", repr=False)

    @field_validator("public_url")
    @classmethod
    def _origin(cls, value: str) -> str:
        if not value:
            return value
        parts = urlsplit(value)
        if parts.scheme not in ("http", "https") or not _has_host(parts) or parts.path not in ("", "/"):
            raise ValueError("attendu : une origine comme https://club.example, sans chemin")
        return f"{parts.scheme}://{parts.netloc}"

    @field_validator("database_url")
    @classmethod
    def _database(cls, value: str) -> str:
        server = value.startswith("postgresql://") and _port_is_fine(urlsplit(value))
        if value and not server and not value.startswith("sqlite:///"):
            raise ValueError("attendu : sqlite:///chemin ou postgresql://utilisateur@hôte/base")
        return value

    @field_validator("secret_key")
    @classmethod
    def _keys(cls, value: str) -> str:
        if value and min(map(len, _listed(value)), default=0) < SHORTEST_KEY:
            raise ValueError(
                f"attendu : une clé d'au moins {SHORTEST_KEY} caractères, ou plusieurs séparées par des virgules"
            )
        return value

    @field_validator("trusted_proxies")
    @classmethod
    def _proxies(cls, value: str) -> str:
        try:
            return ",".join(str(ip_network(one)) for one in _listed(value))
        except ValueError:
            raise ValueError("attendu : des adresses ou des réseaux, comme 127.0.0.1,10.0.0.0/8") from None

    @field_validator("smtp_url")
    @classmethod
    def _smtp(cls, value: str) -> str:
        parts = urlsplit(value)
        if value and (parts.scheme not in ("smtp", "smtps", "smtp+starttls") or not _has_host(parts)):
            raise ValueError("attendu : smtp://, smtps:// ou smtp+starttls:// suivi du serveur")
        return value

    @field_validator("media_url")
    @classmethod
    def _media(cls, value: str) -> str:
        if value and not value.startswith("file:///") and not (value.startswith("s3://") and urlsplit(value).netloc):
            raise ValueError("attendu : file:///chemin ou s3://bucket/préfixe")
        return value

    @field_validator("aws_endpoint_url")
    @classmethod
    def _endpoint(cls, value: str) -> str:
        parts = urlsplit(value)
        if value and (parts.scheme not in ("http", "https") or not _has_host(parts)):
            raise ValueError("attendu : l'adresse du service S3, comme https://s3.example")
        return value

    @field_validator("redis_url")
    @classmethod
    def _redis(cls, value: str) -> str:
        if value and not (value.startswith(("redis://", "rediss://")) and _has_host(urlsplit(value))):
            raise ValueError("attendu : redis://hôte:port")
        return value

    @field_validator("backup_dir", mode="before")
    @classmethod
    def _folder(cls, value: Any) -> Any:
        return value or None

    @field_validator("metrics_token")
    @classmethod
    def _token(cls, value: str) -> str:
        if value and len(value) < SHORTEST_TOKEN:
            raise ValueError(f"attendu : au moins {SHORTEST_TOKEN} caractères, que personne ne devine")
        return value

    @field_validator("sentry_dsn")
    @classmethod
    def _sentry(cls, value: str) -> str:
        parts = urlsplit(value)
        is_whole = parts.scheme in ("http", "https") and _has_host(parts) and parts.username and parts.path.strip("/")
        if value and not is_whole:
            raise ValueError("attendu : l'adresse que donne Sentry, comme https://clé@sentry.example/1")
        return value

    @field_validator("timezone")
    @classmethod
    def _zone(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except Exception:
            raise ValueError("fuseau horaire inconnu, par exemple Europe/Paris") from None
        return value

    _address = field_validator("contact_email")(settings_validators.address)
    _replies = field_validator("reply_to")(settings_validators.of_a_header)
    _sender = field_validator("mail_from")(settings_validators.sender)
    _phone = field_validator("contact_phone")(settings_validators.phone)
    _page = field_validator("linkedin_url")(settings_validators.page)

    @model_validator(mode="after")
    def _derived(self) -> "Settings":
        self.data_dir = self.data_dir.expanduser().resolve()
        self.backup_dir = self.backup_dir and self.backup_dir.expanduser().resolve()
        self.legal_director = self.legal_director or self.animator_name
        if not self.public_url:
            self.public_url = f"http://localhost:{self.port}"
        if not self.database_url:
            self.database_url = f"sqlite:///{self.data_dir / 'club.sqlite3'}"
        if not self.media_url:
            self.media_url = (self.data_dir / "media").as_uri()
        if self.workers > 1 and not self.redis_url:
            raise ValueError("CLUB_WORKERS: plusieurs processus demandent Redis (CLUB_REDIS_URL)")
        if self.workers > 1 and self.uses_sqlite:
            raise ValueError("CLUB_WORKERS: plusieurs processus demandent PostgreSQL (CLUB_DATABASE_URL)")
        return self

    @property
    def uses_sqlite(self) -> bool:
        """Whether the database is the embedded one."""
        return self.database_url.startswith("sqlite")

    @property
    def uses_https(self) -> bool:
        """Whether visitors reach the site over HTTPS."""
        return self.public_url.startswith("https://")

    @property
    def storage_options(self) -> dict[str, str]:
        """What an S3 service must be told; empty where the machine's own role or defaults serve."""
        told = {
            "access_key_id": self.aws_access_key_id,
            "secret_access_key": self.aws_secret_access_key,
            "session_token": self.aws_session_token,
            "region": self.aws_region,
            "endpoint": self.aws_endpoint_url,
        }
        return {name: value for name, value in told.items() if value}

    @property
    def origins(self) -> tuple[str, ...]:
        """The origins that are ours: the public one, and its twin names when it is this machine's loopback."""
        parts = urlsplit(self.public_url)
        if parts.hostname not in LOOPBACK:
            return (self.public_url,)
        port = f":{parts.port}" if parts.port else ""
        return tuple(f"{parts.scheme}://{host}{port}" for host in ("localhost", "127.0.0.1", "[::1]"))

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The signing keys, newest first. Made once in the data directory when none is set."""
        kept = self.secret_key or _generated_key(self.key_file)
        return _listed(kept)

    @property
    def key_file(self) -> Path:
        """Where the signing keys are when CLUB_SECRET_KEY does not say them."""
        return self.data_dir / "secret.key"


def _listed(words: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in words.split(",") if word.strip())


def _port_is_fine(parts: SplitResult) -> bool:
    try:
        return parts.port is None or parts.port > 0
    except ValueError:
        return False


def _has_host(parts: SplitResult) -> bool:
    return bool(parts.hostname) and _port_is_fine(parts)


def _generated_key(path: Path) -> str:
    """The key in the file, made by whoever comes first. An empty one would let anybody sign: it is never used."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError), os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
        file.write(secrets.token_urlsafe(48))
    until = time.monotonic() + KEY_SECONDS
    while not (key := path.read_text().strip()):
        if time.monotonic() > until:
            raise SettingsError(f"CLUB_SECRET_KEY: {path} est vide ; supprimez ce fichier, une clé sera créée")
        time.sleep(0.02)  # another process is writing it
    return key


@lru_cache(maxsize=1)
def settings() -> Settings:
    """The settings of this process.

    Raises:
        SettingsError: when a value is wrong; the message names it and says why.
    """
    try:
        return Settings()
    except ValidationError as error:
        raise SettingsError(_one_line_each(error)) from None
    except UnicodeDecodeError:
        raise SettingsError(".env: ce fichier doit être enregistré en UTF-8") from None


def _one_line_each(error: ValidationError) -> str:
    return "\n".join(_line(dict(found)) for found in error.errors())


def _line(found: dict[str, Any]) -> str:
    told = str(_REASONS.get(found["type"]) or found["msg"].removeprefix("Value error, "))
    reason = told.format(**found.get("ctx", {}))
    place = str(found["loc"][0]).upper() if found["loc"] else ""
    name = place if place.startswith("AWS_") else place and f"CLUB_{place}"
    return f"{name}: {reason}" if name else reason


_REASONS = {
    "int_parsing": "attendu : un nombre entier",
    "bool_parsing": "attendu : 0 ou 1",
    "greater_than_equal": "attendu : au moins {ge}",
    "less_than_equal": "attendu : au plus {le}",
    "literal_error": "attendu : console ou json",
}
