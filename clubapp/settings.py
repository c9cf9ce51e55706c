"""The settings, read from the environment and validated at the start (E1). No other module reads the environment."""

import os
import secrets
import time
from contextlib import suppress
from difflib import get_close_matches
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
DEMO_NAME, DEMO_MOBILE, DEMO_ADDRESS = "Cercle du Beffroi", "+33639985501", "1 place du Beffroi, 59000 Lille"
DEMO_HOST_PHONE, DEMO_RNA = "+33353015502", "W599000000"
# What tells a club from another one.
_IDENTITY = (
    "name", "mail_from", "reply_to", "contact_email", "contact_phone", "linkedin_url", "animator_name", "region",
    "legal_publisher", "legal_host",
)  # fmt: skip
# Read by compose.yaml and deploy/Caddyfile, not by the program.
_OTHERS_NAMES = ("CLUB_DOMAIN", "CLUB_UPSTREAM", "CLUB_POSTGRES_PASSWORD", "CLUB_REDIS_PASSWORD", "CLUB_S3_SECRET")
AT_ONCE, AFTER_CONSENT = "at_once", "after_consent"
LOOPBACK = ("localhost", "127.0.0.1", "::1")


class SettingsError(Exception):
    """Settings are wrong. The message has one line for each: its name and the reason in French."""


class Settings(BaseSettings):
    """What an installation can choose. Names and defaults stay as they are, for scripts rely on them (E1)."""

    model_config = SettingsConfigDict(env_prefix="CLUB_", env_file=".env", extra="ignore")

    public_url: str = ""
    host: str = "127.0.0.1"
    port: int = Field(default=3000, ge=1, le=65535)
    trusted_proxies: str = ""
    hsts_subdomains: bool = True
    data_dir: Path = Path("data")
    database_url: str = ""
    redis_url: str = ""
    workers: int = Field(default=1, ge=1, le=64)
    media_url: str = ""
    # Under the names that every S3 client reads. Empty ones are left to the client's defaults.
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
    name: str = DEMO_NAME
    logo: Path | None = None
    region: str = "Nord"
    contact_email: str = "contact@beffroi.example"
    contact_phone: str = "+33353015501"
    contact_mobile: str = ""
    contact_address: str = ""
    linkedin_url: str = "https://www.linkedin.com/company/cercle-du-beffroi"
    animator_name: str = "Hélène Caudrelier"
    legal_publisher: str = (
        "Cercle du Beffroi, association régie par la loi du 1er juillet 1901, 1 place du Beffroi, 59000 Lille"
    )
    legal_director: str = ""
    legal_host: str = "Hébergement du Beffroi, société fictive, 2 quai de l’Écluse, 59000 Lille"
    legal_host_phone: str = ""
    legal_rna: str = ""
    legal_siret: str = ""
    legal_processors: str = ""
    stat_companies: str = "30+"
    stat_events: str = "12+"
    stat_expertise: str = "30+"
    copyright_year: int | None = Field(default=None, ge=1900, le=9999)
    backup_dir: Path | None = None
    backup_keep: int = Field(default=14, ge=1)
    announce_days: int = Field(default=3, ge=0, le=60)
    announce_hour: int = Field(default=9, ge=0, le=23)
    lunch_closes: bool = False
    to_meet: bool = False
    acts_months: int = Field(default=12, ge=12, le=120)
    review_years: int = Field(default=3, ge=1, le=10)
    publish: Literal["at_once", "after_consent"] = "at_once"
    demo: bool = False
    admin_second_factor: Literal["optional", "required"] = "optional"
    log_format: Literal["console", "json"] = "console"
    metrics_token: str = Field(default="", repr=False)
    sentry_dsn: str = Field(default="", repr=False)

    @field_validator("public_url")
    @classmethod
    def _validate_public_url(cls, value: str) -> str:
        if not value:
            return value
        parts = urlsplit(value)
        if parts.scheme not in ("http", "https") or not _has_host(parts) or parts.path not in ("", "/"):
            raise ValueError("attendu\u00a0: une origine comme https://club.example, sans chemin")
        return f"{parts.scheme}://{parts.netloc}"

    @field_validator("database_url")
    @classmethod
    def _validate_database_url(cls, value: str) -> str:
        server = value.startswith("postgresql://") and _has_valid_port(urlsplit(value))
        if value and not server and not value.startswith("sqlite:///"):
            raise ValueError("attendu\u00a0: sqlite:///chemin ou postgresql://utilisateur@hôte/base")
        return value

    @field_validator("secret_key")
    @classmethod
    def _validate_secret_key(cls, value: str) -> str:
        if value and min(map(len, _split_list(value)), default=0) < SHORTEST_KEY:
            raise ValueError(
                f"attendu\u00a0: une clé d’au moins {SHORTEST_KEY} caractères, ou plusieurs séparées par des virgules"
            )
        return value

    @field_validator("trusted_proxies")
    @classmethod
    def _validate_trusted_proxies(cls, value: str) -> str:
        try:
            return ",".join(str(ip_network(one)) for one in _split_list(value))
        except ValueError:
            raise ValueError("attendu\u00a0: des adresses ou des réseaux, comme 127.0.0.1,10.0.0.0/8") from None

    @field_validator("smtp_url")
    @classmethod
    def _validate_smtp_url(cls, value: str) -> str:
        parts = urlsplit(value)
        if value and (parts.scheme not in ("smtp", "smtps", "smtp+starttls") or not _has_host(parts)):
            raise ValueError("attendu\u00a0: smtp://, smtps:// ou smtp+starttls:// suivi du serveur")
        return value

    @field_validator("media_url")
    @classmethod
    def _validate_media_url(cls, value: str) -> str:
        if value and not value.startswith("file:///") and not (value.startswith("s3://") and urlsplit(value).netloc):
            raise ValueError("attendu\u00a0: file:///chemin ou s3://bucket/préfixe")
        return value

    @field_validator("aws_endpoint_url")
    @classmethod
    def _validate_aws_endpoint_url(cls, value: str) -> str:
        parts = urlsplit(value)
        if value and (parts.scheme not in ("http", "https") or not _has_host(parts)):
            raise ValueError("attendu\u00a0: l’adresse du service S3, comme https://s3.example")
        return value

    @field_validator("redis_url")
    @classmethod
    def _validate_redis_url(cls, value: str) -> str:
        if value and not (value.startswith(("redis://", "rediss://")) and _has_host(urlsplit(value))):
            raise ValueError("attendu\u00a0: redis://hôte:port")
        return value

    @field_validator("backup_dir", mode="before")
    @classmethod
    def _validate_backup_dir(cls, value: Any) -> Any:
        return value or None

    @field_validator("logo", mode="before")
    @classmethod
    def _validate_logo(cls, value: Any) -> Any:
        return settings_validators.validate_picture(Path(value)) if value else None

    @field_validator("metrics_token")
    @classmethod
    def _validate_metrics_token(cls, value: str) -> str:
        if value and len(value) < SHORTEST_TOKEN:
            raise ValueError(f"attendu\u00a0: au moins {SHORTEST_TOKEN} caractères, que personne ne devine")
        return value

    @field_validator("sentry_dsn")
    @classmethod
    def _validate_sentry_dsn(cls, value: str) -> str:
        parts = urlsplit(value)
        is_whole = parts.scheme in ("http", "https") and _has_host(parts) and parts.username and parts.path.strip("/")
        if value and not is_whole:
            raise ValueError("attendu\u00a0: l’adresse que donne Sentry, comme https://clé@sentry.example/1")
        return value

    @field_validator("timezone")
    @classmethod
    def _validate_timezone(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except Exception:
            raise ValueError("fuseau horaire inconnu, par exemple Europe/Paris") from None
        return value

    _validate_names = field_validator("name", "region", "animator_name")(settings_validators.validate_name)
    _validate_texts = field_validator(
        "contact_address", "legal_publisher", "legal_director", "legal_host", "legal_processors"
    )(settings_validators.validate_text)
    _validate_contact_email = field_validator("contact_email")(settings_validators.validate_address)
    _validate_reply_to = field_validator("reply_to")(settings_validators.validate_header_address)
    _validate_mail_from = field_validator("mail_from")(settings_validators.validate_sender)
    _validate_contact_phone = field_validator("contact_phone", "contact_mobile", "legal_host_phone")(
        settings_validators.validate_phone
    )
    _validate_legal_rna = field_validator("legal_rna")(settings_validators.validate_rna)
    _validate_legal_siret = field_validator("legal_siret")(settings_validators.validate_siret)
    _validate_linkedin_url = field_validator("linkedin_url")(settings_validators.validate_page)

    @model_validator(mode="after")
    def _derive_defaults(self) -> "Settings":
        self.data_dir = self.data_dir.expanduser().resolve()
        self.backup_dir = self.backup_dir and self.backup_dir.expanduser().resolve()
        self.legal_director = self.legal_director or self.animator_name
        if self.name == DEMO_NAME:  # a club of another name never signs with the fictional one's mobile and address
            self.contact_mobile = self.contact_mobile or DEMO_MOBILE
            self.contact_address = self.contact_address or DEMO_ADDRESS
            self.legal_host_phone = self.legal_host_phone or DEMO_HOST_PHONE
            self.legal_rna = self.legal_rna or DEMO_RNA
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
        """Whether the database is SQLite."""
        return self.database_url.startswith("sqlite")

    @property
    def is_public(self) -> bool:
        """Whether others than this machine reach the site."""
        return urlsplit(self.public_url).hostname not in LOOPBACK

    @property
    def demo_values(self) -> tuple[str, ...]:
        """The settings that still are the fictional club's. A region may be the same, when it was set."""
        fields = type(self).model_fields
        same = [name for name in _IDENTITY if getattr(self, name) == fields[name].default]
        if self.legal_director == fields["animator_name"].default:
            same.append("legal_director")
        return tuple(f"CLUB_{name.upper()}" for name in same if name != "region" or name not in self.model_fields_set)

    @property
    def uses_https(self) -> bool:
        """Whether visitors reach the site over HTTPS."""
        return self.public_url.startswith("https://")

    @property
    def storage_options(self) -> dict[str, str]:
        """The options of the S3 client that are set; the client finds the others itself, such as the machine's role."""
        options = {
            "access_key_id": self.aws_access_key_id,
            "secret_access_key": self.aws_secret_access_key,
            "session_token": self.aws_session_token,
            "region": self.aws_region,
            "endpoint": self.aws_endpoint_url,
        }
        return {name: value for name, value in options.items() if value}

    @property
    def origins(self) -> tuple[str, ...]:
        """The origins of the site: that of `public_url`, or each name of the loopback interface if it is one."""
        parts = urlsplit(self.public_url)
        if parts.hostname not in LOOPBACK:
            return (self.public_url,)
        port = f":{parts.port}" if parts.port else ""
        return tuple(f"{parts.scheme}://{host}{port}" for host in ("localhost", "127.0.0.1", "[::1]"))

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The signing keys, newest first. Without CLUB_SECRET_KEY one is created in the data directory.

        Raises:
            SettingsError: when the file of that key is empty.
        """
        return _split_list(self.secret_key or _read_or_create_key(self.key_file))

    @property
    def key_file(self) -> Path:
        """The file of the signing keys, read when CLUB_SECRET_KEY is not set."""
        return self.data_dir / "secret.key"


def _split_list(words: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in words.split(",") if word.strip())


def _has_valid_port(parts: SplitResult) -> bool:
    try:
        return parts.port is None or parts.port > 0
    except ValueError:
        return False


def _has_host(parts: SplitResult) -> bool:
    return bool(parts.hostname) and _has_valid_port(parts)


def _read_or_create_key(path: Path) -> str:
    """The key in the file, created by the first process. An empty key is refused: anybody could sign with it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError), os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
        file.write(secrets.token_urlsafe(48))
    until = time.monotonic() + KEY_SECONDS
    while not (key := path.read_text().strip()):
        if time.monotonic() > until:
            raise SettingsError(f"CLUB_SECRET_KEY: {path} est vide\u00a0; supprimez ce fichier, une clé sera créée")
        time.sleep(0.02)  # another process has created the file and is writing the key
    return key


@lru_cache(maxsize=1)
def settings() -> Settings:
    """The settings of this process, read once.

    Raises:
        SettingsError: when a value is wrong.
    """
    try:
        return Settings()
    except ValidationError as error:
        raise SettingsError(_describe_errors(error)) from None
    except UnicodeDecodeError:
        raise SettingsError(".env: ce fichier doit être enregistré en UTF-8") from None


def find_unknown_names() -> list[tuple[str, str]]:
    """The names in the environment and in .env that look like settings and are none, each with the nearest one."""
    known = {f"CLUB_{name.upper()}" for name in Settings.model_fields} | set(_OTHERS_NAMES)
    with suppress(ValidationError, UnicodeDecodeError):
        written = {name.upper() for name in _Written().model_extra or {}}
        found = {name for name in {*os.environ, *written} if name.startswith("CLUB_") and name not in known}
        found -= {name for name in found if name.startswith("CLUB_TEST_")}
        return [(name, next(iter(get_close_matches(name, known, 1)), "")) for name in sorted(found)]
    return []


class _Written(BaseSettings):
    """Everything that .env names, whatever it is."""

    model_config = SettingsConfigDict(env_file=".env", extra="allow")


def _describe_errors(error: ValidationError) -> str:
    return "\n".join(_describe_error(dict(detail)) for detail in error.errors())


def _describe_error(detail: dict[str, Any]) -> str:
    sentence = str(_REASONS.get(detail["type"]) or detail["msg"].removeprefix("Value error, "))
    context = detail.get("ctx", {})
    if "expected" in context:  # "'console' or 'json'"
        context = {"expected": str(context["expected"]).replace(" or ", " ou ").replace("'", "")}
    reason = sentence.format(**context)
    field = str(detail["loc"][0]).upper() if detail["loc"] else ""
    name = field if field.startswith("AWS_") else field and f"CLUB_{field}"
    return f"{name}: {reason}" if name else reason


_REASONS = {
    "int_parsing": "attendu\u00a0: un nombre entier",
    "bool_parsing": "attendu\u00a0: 0 ou 1",
    "greater_than_equal": "attendu\u00a0: au moins {ge}",
    "less_than_equal": "attendu\u00a0: au plus {le}",
    "literal_error": "attendu\u00a0: {expected}",
}
