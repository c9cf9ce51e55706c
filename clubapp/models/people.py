"""Members, companies and administrators."""

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import CheckConstraint
from sqlmodel import Field, SQLModel

from clubapp.models.base import identifier, instant, texts

DOMAINS = (
    "Logistique & Transport",
    "Bâtiment & Travaux",
    "Aménagement & Design",
    "Nettoyage & Maintenance",
    "Sécurité & Qualité",
    "Formation & Conseil",
    "Digital & Communication",
)


class Company(SQLModel, table=True):
    """A company of the club."""

    __tablename__: ClassVar[Any] = "companies"

    id: str = identifier()
    name: str
    activity_domain: str = ""
    description: str = ""
    address: str = ""
    city: str = ""
    postal_code: str = ""
    phone: str = ""
    email: str = ""
    website: str = ""
    logo_url: str = ""
    founded_year: int | None = None
    employee_count: str = ""
    services: list[str] = texts()
    certifications: list[str] = texts()
    created_at: datetime = instant()
    updated_at: datetime = instant()


class Member(SQLModel, table=True):
    """A member of the club. `email` is normalised (S7) and unique, or null when unknown."""

    __tablename__: ClassVar[Any] = "members"
    __table_args__ = (CheckConstraint("email = lower(email)", name="email_normalised"),)

    id: str = identifier()
    name: str
    role: str = ""
    company: str = ""
    company_id: str | None = Field(default=None, foreign_key="companies.id", ondelete="SET NULL", index=True)
    activity_domain: str = ""
    description: str = ""
    email: str | None = Field(default=None, unique=True)
    phone: str = ""
    linkedin: str = ""
    website: str = ""
    image_url: str = ""
    expertise: list[str] = texts()
    services: list[str] = texts()
    is_active: bool = True
    opted_out_at: datetime | None = instant(nullable=True)
    created_at: datetime = instant(index=True)
    updated_at: datetime = instant()


class Admin(SQLModel, table=True):
    """Someone who administers the club. `email` is normalised (S7)."""

    __tablename__: ClassVar[Any] = "admins"
    __table_args__ = (CheckConstraint("email = lower(email)", name="email_normalised"),)

    email: str = Field(primary_key=True)
    created_at: datetime = instant()
