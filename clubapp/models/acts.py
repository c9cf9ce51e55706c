"""The journal of acts (T1). Triggers of the database refuse to change an act, or to delete it before its time."""

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import JSON
from sqlmodel import Field, SQLModel

from clubapp.models.base import id_column, instant_column


class Act(SQLModel, table=True):
    """Who did what to which record, when and from which session.

    It holds no personal data: who acted is an `ActPerson`, the values before and after are in `ActChanges`. `number`
    and the hashes are set when its transaction commits: `entry_hash` is over all the rest, `previous_hash` included.
    """

    __tablename__: ClassVar[Any] = "acts"

    id: str = id_column()
    number: int | None = Field(default=None, unique=True)
    at: datetime = instant_column(index=True)
    actor_kind: str
    actor_id: str = Field(default="", index=True)
    operator: str = ""  # the operating-system user of a command
    session_id: str = ""
    action: str
    subject_kind: str = ""
    subject: str = Field(default="", index=True)
    detail: dict[str, Any] = Field(default_factory=dict, nullable=False, sa_type=JSON)
    changes_hash: str = Field(default="", max_length=64)
    previous_hash: str = Field(default="", max_length=64)
    entry_hash: str = Field(default="", max_length=64)


class ActChanges(SQLModel, table=True):
    """The values before and after of an act, by column. The salt keeps them from being guessed from their hash."""

    __tablename__: ClassVar[Any] = "act_changes"

    act_id: str = Field(primary_key=True, foreign_key="acts.id", ondelete="CASCADE")
    salt: str
    content: dict[str, Any] = Field(default_factory=dict, nullable=False, sa_type=JSON)


class ActPerson(SQLModel, table=True):
    """The address behind the identifier that acts name. Once it is erased, the identifier remains as a pseudonym."""

    __tablename__: ClassVar[Any] = "act_people"

    id: str = id_column()
    email: str | None = Field(default=None, unique=True)
    member_id: str | None = Field(default=None, max_length=36, index=True)


class ActChain(SQLModel, table=True):
    """The one row that says where the chain of acts begins and ends; locked while acts are added.

    `kept_from` is the number of the oldest act, `kept_after` the hash of the one before it, which is gone.
    """

    __tablename__: ClassVar[Any] = "act_chain"

    id: int = Field(primary_key=True)
    kept_from: int = 1
    kept_after: str = Field(default="", max_length=64)
    number: int = 0
    entry_hash: str = Field(default="", max_length=64)
