"""Members, companies, administrators, pending imports, and decisions about competition between members."""

from datetime import datetime
from enum import StrEnum
from typing import Any, ClassVar

from sqlalchemy import CheckConstraint, Index, event, or_
from sqlmodel import Field, SQLModel, col

from clubapp.models.base import flag_column, id_column, instant_column, list_column, text_column
from clubapp.text.collation import fold

DOMAINS = (
    "Logistique & Transport",
    "Bâtiment & Travaux",
    "Aménagement & Design",
    "Nettoyage & Maintenance",
    "Sécurité & Qualité",
    "Formation & Conseil",
    "Digital & Communication",
)

# The place of a member written by an older program version, which does not set it: after all others.
UNPLACED = "2"
# Sorts before any character of a name, so that 'Nord' comes before 'Nord Logis'.
_BEFORE_ALL = "\x01"
# An entry of a PostgreSQL index holds 2 700 bytes.
_LONGEST_PLACED = 150


class Company(SQLModel, table=True):
    """A company of the club."""

    __tablename__: ClassVar[Any] = "companies"

    id: str = id_column()
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
    services: list[str] = list_column()
    certifications: list[str] = list_column()
    created_at: datetime = instant_column()
    updated_at: datetime = instant_column()


class Member(SQLModel, table=True):
    """A member of the club. `email` is normalised (S7) and unique, or null when unknown.

    `is_listed` and the `shows_…` flags are the member's choice of what the public site shows of them, and whether it
    shows them at all (P1). The `…_to_members` flags show to members who are signed in what the site hides; what it
    shows, they see anyway (`is_for_members`).
    `email_failed_at` is set when the address was refused for good, until it changes (M9).
    `first_name` is empty while it is only guessed from the name (`text.person_names`).
    `directory_place` is set from company and name on each write; both engines sort it by bytes.
    `reviewed_at` is when somebody last decided to keep the record of an inactive one.
    `entered_via` says how somebody else entered them; empty for who entered themselves, and for those of before.
    Who `needs_consent` says themselves that their e-mail, phone or photograph is shown (P5).
    Their sign-in leads to their meetings while `opens_meetings`, else to their profile.
    """

    __tablename__: ClassVar[Any] = "members"
    __table_args__ = (
        CheckConstraint("email = lower(email)", name="email_normalised"),
        Index("ix_members_directory", "is_active", "is_listed", "directory_place", "id"),
        Index("ix_members_domain", "activity_domain", "is_active", "is_listed", "directory_place", "id"),
    )

    id: str = id_column()
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
    expertise: list[str] = list_column()
    services: list[str] = list_column()
    is_active: bool = True
    is_listed: bool = flag_column(default=True)
    shows_email: bool = flag_column(default=True)
    shows_phone: bool = flag_column(default=True)
    shows_photo: bool = flag_column(default=True)
    is_listed_to_members: bool = flag_column(default=False)
    shows_email_to_members: bool = flag_column(default=False)
    shows_phone_to_members: bool = flag_column(default=False)
    shows_photo_to_members: bool = flag_column(default=False)
    email_failed_at: datetime | None = instant_column(nullable=True)
    email_failure: str = text_column()
    opted_out_at: datetime | None = instant_column(nullable=True)
    directory_place: str = text_column(default=UNPLACED)
    first_name: str = text_column()
    reviewed_at: datetime | None = instant_column(nullable=True)
    entered_via: str = text_column()
    needs_consent: bool = flag_column(default=False)
    opens_meetings: bool = flag_column(default=False)
    created_at: datetime = instant_column(index=True)
    updated_at: datetime = instant_column()


# Each choice of what the site shows, and the second one beside it: what members see although the site hides it.
TO_MEMBERS = {
    "is_listed": "is_listed_to_members",
    "shows_email": "shows_email_to_members",
    "shows_phone": "shows_phone_to_members",
    "shows_photo": "shows_photo_to_members",
}


def is_for_members(member: Member, choice: str) -> bool:
    """Whether members see what one of TO_MEMBERS is about: what is public always."""
    return getattr(member, choice) or getattr(member, TO_MEMBERS[choice])


def for_members(choice: str) -> Any:
    """The same as a condition of a query."""
    return or_(col(getattr(Member, choice)), col(getattr(Member, TO_MEMBERS[choice])))


def directory_place(company: str, name: str) -> str:
    """The sort key of the directory: by company, then name; members without a company come last (C6)."""
    last, first = fold(name)[:_LONGEST_PLACED], fold(company)[:_LONGEST_PLACED]
    return f"0{first}{_BEFORE_ALL}{last}" if first else f"1{last}"


@event.listens_for(Member, "before_insert")
@event.listens_for(Member, "before_update")
def _place(_mapper: Any, _connection: Any, member: Member) -> None:
    member.directory_place = directory_place(member.company, member.name)


class ChoiceSource(StrEnum):
    """Who chose what the public site shows of a member, and where."""

    MEMBER = "member"
    LINK = "link"  # the member, by the link of their welcome mail
    CONSENT = "consent"  # an administrator, to whom the member said yes
    ADMINISTRATOR = "administrator"
    IMPORT = "import"


class PublicationChoice(SQLModel, table=True):
    """A choice of what the public site shows of a member, as it was made (P5). Rows are only added.

    `choice` is a column of `Member`, `wording` what was read when choosing, `made_by` the address of whoever chose.
    """

    __tablename__: ClassVar[Any] = "publication_choices"
    __table_args__ = (
        CheckConstraint("via IN ('member', 'link', 'consent', 'administrator', 'import')", name="via"),
        Index("ix_publication_choices_member", "member_id", "choice", "at"),
    )

    id: str = id_column()
    member_id: str = Field(foreign_key="members.id", ondelete="CASCADE")
    choice: str
    is_shown: bool
    wording: str
    via: str
    made_by: str
    at: datetime = instant_column()


class CompetitionVerdict(StrEnum):
    """The animator's decision about two members with similar trades."""

    COMPATIBLE = "compatible"
    ACCEPTED = "accepted"  # in competition, accepted for the reason given


class CompetitionDecision(SQLModel, table=True):
    """A decision about a member and a competitor (D1).

    `trade` holds both trades at that time: the decision is void once one changes. Decisions are only added; the latest
    of a pair is valid.
    """

    __tablename__: ClassVar[Any] = "competition_decisions"
    __table_args__ = (CheckConstraint("verdict IN ('compatible', 'accepted')", name="verdict"),)

    id: str = id_column()
    member_id: str = Field(foreign_key="members.id", ondelete="CASCADE", index=True)
    other_id: str = Field(foreign_key="members.id", ondelete="CASCADE", index=True)
    verdict: str
    reason: str = ""
    trade: str = ""
    decided_by: str
    decided_at: datetime = instant_column()


class CompetitionTask(SQLModel, table=True):
    """Two members with near trades, on whom the animator has still to decide (D1); removed by a decision."""

    __tablename__: ClassVar[Any] = "competition_tasks"

    member_id: str = Field(foreign_key="members.id", ondelete="CASCADE", primary_key=True)
    other_id: str = Field(foreign_key="members.id", ondelete="CASCADE", primary_key=True, index=True)
    created_at: datetime = instant_column()


class MemberNote(SQLModel, table=True):
    """What an administrator noted of a member, for the other administrators; part of the member's data (P2).

    `written_by` is the address of whoever wrote it.
    """

    __tablename__: ClassVar[Any] = "member_notes"

    id: str = id_column()
    member_id: str = Field(foreign_key="members.id", ondelete="CASCADE", index=True)
    text: str
    written_by: str
    created_at: datetime = instant_column()


class PendingImport(SQLModel, table=True):
    """A table that an administrator sent but has not confirmed; deleted when they do, or after a day.

    `rows` are the lines of the file, each with its number and its cells by heading.
    """

    __tablename__: ClassVar[Any] = "pending_imports"

    id: str = id_column()
    kind: str
    sent_by: str
    headings: list[str] = list_column()
    rows: list[dict[str, Any]] = list_column()
    created_at: datetime = instant_column(index=True)


class Admin(SQLModel, table=True):
    """An administrator. `email` is normalised (S7).

    Their sign-in leads to the page of the day while `opens_today`. They were there last at `today_seen_at`; their visit
    before that one ended at `today_left_at`.
    """

    __tablename__: ClassVar[Any] = "admins"
    __table_args__ = (CheckConstraint("email = lower(email)", name="email_normalised"),)

    email: str = Field(primary_key=True)
    created_at: datetime = instant_column()
    opens_today: bool = flag_column(default=False)
    today_seen_at: datetime | None = instant_column(nullable=True)
    today_left_at: datetime | None = instant_column(nullable=True)
