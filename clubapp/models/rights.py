"""Requests that people make about their data, and who was erased (RGPD, articles 15 to 21)."""

from datetime import datetime
from enum import StrEnum
from typing import Any, ClassVar

from sqlmodel import Field, SQLModel

from clubapp.models.base import flag_column, id_column, instant_column


class Right(StrEnum):
    """What is asked."""

    ERASURE = "erasure"
    COPY = "copy"
    CORRECTION = "correction"
    OBJECTION = "objection"


class RequestOutcome(StrEnum):
    """How a request was answered."""

    DONE = "done"
    REFUSED = "refused"


class RightsRequest(SQLModel, table=True):
    """A request, open until `answered_at`. Name and address are those of who asks, a member or not.

    `noted_by` is the administrator who noted it when it came by letter or telephone; empty when a member asked on the
    site. `answer` is what they are told.
    """

    __tablename__: ClassVar[Any] = "rights_requests"

    id: str = id_column()
    kind: str
    member_id: str | None = Field(default=None, foreign_key="members.id", ondelete="SET NULL", index=True)
    name: str = ""
    email: str = ""
    words: str = ""
    noted_by: str = ""
    asked_at: datetime = instant_column()
    due_at: datetime = instant_column()
    outcome: str = ""
    answer: str = ""
    answered_by: str = ""
    answered_at: datetime | None = instant_column(nullable=True, index=True)


class ErasedPerson(SQLModel, table=True):
    """Somebody who was erased, by the SHA-256 of their former random identifier: nobody can tell who it was.

    `was_asked` says that they had asked for it.
    """

    __tablename__: ClassVar[Any] = "erased_people"

    digest: str = Field(primary_key=True, max_length=64)
    erased_at: datetime = instant_column()
    was_asked: bool = flag_column(default=False)
