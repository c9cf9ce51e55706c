"""Sign-in links and sessions."""

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import JSON
from sqlmodel import Field, SQLModel

from clubapp.models.base import flag_column, id_column, instant_column, text_column


class SignInLink(SQLModel, table=True):
    """One request for a sign-in link. Only SHA-256 sums of its secrets are kept (S1).

    `requester` is a keyed hash of the network address that asked, for the limits on requests (S6).
    """

    __tablename__: ClassVar[Any] = "sign_in_links"

    id: str = id_column()
    email: str = Field(index=True)
    access_hash: str = Field(unique=True, max_length=64)
    refresh_hash: str = Field(max_length=64)
    nonce_hash: str = Field(unique=True, max_length=64)
    code_tries: int = 0
    requester: str = Field(default="", index=True)
    created_at: datetime = instant_column(index=True)
    expires_at: datetime = instant_column()
    redeemed_at: datetime | None = instant_column(nullable=True)
    voided_at: datetime | None = instant_column(nullable=True)


class UserSession(SQLModel, table=True):
    """A signed-in browser, valid for one hour from sign-in (S8). Its secret rotates (S10).

    Half open, it waits for a second factor and gives no right (S12). `proved_at` is when its person last proved who
    they are (S13); None in rows of earlier versions stands for `created_at`.
    """

    __tablename__: ClassVar[Any] = "sessions"

    id: str = id_column()
    email: str = Field(index=True)
    secret_hash: str = Field(max_length=64)
    previous_hash: str | None = Field(default=None, max_length=64)
    secret_seen_at: datetime | None = instant_column(nullable=True)
    user_agent: str = ""
    is_half_open: bool = flag_column(default=False)
    proved_at: datetime | None = instant_column(nullable=True)
    created_at: datetime = instant_column()
    expires_at: datetime = instant_column(index=True)
    ended_at: datetime | None = instant_column(nullable=True)


class EmailChange(SQLModel, table=True):
    """A member's change of address, pending until the link sent to the new one is opened (S11).

    The old address may undo it for a week (S14).
    """

    __tablename__: ClassVar[Any] = "email_changes"

    id: str = id_column()
    member_id: str = Field(foreign_key="members.id", ondelete="CASCADE", index=True)
    new_email: str
    old_email: str = text_column()
    token_hash: str = Field(unique=True, max_length=64)
    created_at: datetime = instant_column()
    expires_at: datetime = instant_column()
    confirmed_at: datetime | None = instant_column(nullable=True)
    voided_at: datetime | None = instant_column(nullable=True)
    undone_at: datetime | None = instant_column(nullable=True)


class FormerAuditEntry(SQLModel, table=True):
    """An entry of the audit trail as the version before writes it. A job takes it over into the acts (R8)."""

    __tablename__: ClassVar[Any] = "audit_entries"

    id: str = id_column()
    at: datetime = instant_column(index=True)
    actor: str
    action: str
    subject: str = Field(default="", index=True)
    detail: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)
