"""Second factors: passkeys, authenticator apps, recovery codes; and the browsers that people signed in with."""

from datetime import datetime
from enum import StrEnum
from typing import Any, ClassVar

from sqlalchemy import UniqueConstraint
from sqlmodel import Field, SQLModel

from clubapp.models.base import id_column, instant_column


class FactorType(StrEnum):
    """What a factor is: an authenticator app with six digits, or a passkey."""

    TOTP = "totp"
    WEBAUTHN = "webauthn"


class FactorStatus(StrEnum):
    """A factor counts once it was verified for the first time."""

    UNVERIFIED = "unverified"
    VERIFIED = "verified"


class Factor(SQLModel, table=True):
    """A second factor of an address (S12).

    `secret` is the encrypted seed of an app, or the public key of a passkey. `last_step` is the newest step of an app
    that was accepted: none is accepted twice. `sign_count` is the counter of a passkey; a copy shows an older one.
    """

    __tablename__: ClassVar[Any] = "factors"

    id: str = id_column()
    email: str = Field(index=True)
    factor_type: str = Field(max_length=16)
    friendly_name: str = ""
    secret: str = ""
    credential_id: str | None = Field(default=None, unique=True)
    sign_count: int = 0
    last_step: int | None = None
    status: str = Field(default=FactorStatus.UNVERIFIED, max_length=16)
    created_at: datetime = instant_column()
    last_used_at: datetime | None = instant_column(nullable=True)


class FactorChallenge(SQLModel, table=True):
    """A challenge that was used. What is signed into a challenge itself, such as its session, is not stored."""

    __tablename__: ClassVar[Any] = "factor_challenges"

    id: str = Field(primary_key=True, max_length=64)
    expires_at: datetime = instant_column(index=True)


class FactorTries(SQLModel, table=True):
    """Wrong codes of an address in a row, and until when no other is accepted."""

    __tablename__: ClassVar[Any] = "factor_tries"

    email: str = Field(primary_key=True)
    failures: int = 0
    blocked_until: datetime | None = instant_column(nullable=True)


class RecoveryCode(SQLModel, table=True):
    """One of the codes that replace a lost factor, once. Only its SHA-256 is kept."""

    __tablename__: ClassVar[Any] = "recovery_codes"

    id: str = id_column()
    email: str = Field(index=True)
    code_hash: str = Field(unique=True, max_length=64)
    created_at: datetime = instant_column()
    used_at: datetime | None = instant_column(nullable=True)


class KnownBrowser(SQLModel, table=True):
    """A browser in which an address has signed in before, recognised by the hash of its cookie (S14)."""

    __tablename__: ClassVar[Any] = "known_browsers"
    __table_args__: ClassVar[Any] = (UniqueConstraint("email", "token_hash"),)

    id: str = id_column()
    email: str = Field(index=True)
    token_hash: str = Field(max_length=64)
    user_agent: str = ""
    first_seen_at: datetime = instant_column()
    last_seen_at: datetime = instant_column(index=True)
