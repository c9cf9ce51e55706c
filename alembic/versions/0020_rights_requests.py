"""Requests about one's data as rows, who was erased, and when an inactive member was last looked at."""

import re
from calendar import monthrange
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

# What an earlier way back has put aside, from whatever schema, returns by itself.
SET_ASIDE = re.compile(r"set_aside_\w+_rows_rights_requests")
MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    requests = op.create_table(
        "rights_requests",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("member_id", sa.String(), nullable=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("words", sa.String(), nullable=False),
        sa.Column("noted_by", sa.String(), nullable=False),
        sa.Column("asked_at", MOMENT, nullable=False),
        sa.Column("due_at", MOMENT, nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("answer", sa.String(), nullable=False),
        sa.Column("answered_by", sa.String(), nullable=False),
        sa.Column("answered_at", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(
            ["member_id"], ["members.id"], name=op.f("fk_rights_requests_member_id"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rights_requests")),
    )
    for name in ("member_id", "answered_at"):
        op.create_index(op.f(f"ix_rights_requests_{name}"), "rights_requests", [name], unique=False)
    op.create_table(
        "erased_people",
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("erased_at", MOMENT, nullable=False),
        sa.Column("was_asked", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_erased_people")),
    )
    op.add_column("members", sa.Column("reviewed_at", MOMENT, nullable=True))
    if rows := _asked_before():
        op.bulk_insert(requests, rows)
    _rename_mails({row["member_id"]: row["id"] for row in rows})


def downgrade() -> None:
    connection = op.get_bind()
    mails, requests = _mails(), sa.table("rights_requests", sa.column("id"), sa.column("kind"), sa.column("member_id"))
    members = dict(
        connection.execute(sa.select(requests.c.id, requests.c.member_id).where(requests.c.kind == "erasure")).all()
    )
    waiting = mails.c.kind.in_(("rights_asked", "rights_answered")), mails.c.state == "pending"
    for mail_id, context in connection.execute(sa.select(mails.c.id, mails.c.context).where(*waiting)).all():
        member_id = members.get(context.get("request_id"))
        values: dict[str, Any] = {"context": {"asking_id": member_id}} if member_id else {"state": "withdrawn"}
        connection.execute(sa.update(mails).where(mails.c.id == mail_id).values(values))
    asked = mails.c.kind == "rights_asked"
    connection.execute(sa.update(mails).where(asked).values(kind="erasure_asked"))
    op.drop_column("members", "reviewed_at")
    op.drop_table("erased_people")
    op.drop_table("rights_requests")


def _asked_before() -> list[dict[str, Any]]:
    """The requests for erasure that stand in the journal of acts, or wait to be taken over into it."""
    connection = op.get_bind()
    there = sa.inspect(connection)
    known: set[str] = set()
    for name in filter(SET_ASIDE.fullmatch, there.get_table_names()):
        known |= set(connection.execute(sa.select(sa.column("id")).select_from(sa.table(name))).scalars())
    members = sa.table("members", sa.column("id"), sa.column("name"), sa.column("email"))
    latest: dict[str, dict[str, Any]] = {}
    for journal in ("acts", "audit_entries"):
        if not there.has_table(journal):
            continue
        acts = sa.table(
            journal, sa.column("id"), sa.column("at", MOMENT), sa.column("action"), sa.column("subject")
        )
        query = (
            sa.select(acts.c.id, acts.c.at, members.c.id, members.c.name, members.c.email)
            .join_from(acts, members, members.c.id == acts.c.subject)
            .where(acts.c.action == "erasure.asked")
            .order_by(acts.c.at)
        )
        for act_id, at, member_id, name, email in connection.execute(query):
            latest[member_id] = _request(act_id, at, member_id, name, email)
    return [row for row in latest.values() if row["id"] not in known]


def _request(act_id: str, at: datetime, member_id: str, name: str, email: str | None) -> dict[str, Any]:
    empty = dict.fromkeys(("words", "noted_by", "outcome", "answer", "answered_by"), "")
    asked = {"id": act_id, "kind": "erasure", "member_id": member_id, "name": name, "email": email or ""}
    return asked | empty | {"asked_at": at, "due_at": _month_after(at), "answered_at": None}


def _month_after(at: datetime) -> datetime:
    year, month = (at.year + 1, 1) if at.month == 12 else (at.year, at.month + 1)
    return at.replace(year=year, month=month, day=min(at.day, monthrange(year, month)[1]))


def _rename_mails(requests: dict[str, str]) -> None:
    """Mails to administrators about a request for erasure are about any request now; those that wait name the row."""
    connection, mails = op.get_bind(), _mails()
    asked = mails.c.kind == "erasure_asked"
    waiting = sa.select(mails.c.id, mails.c.context).where(asked, mails.c.state == "pending")
    for mail_id, context in connection.execute(waiting).all():
        named = {"request_id": requests.get(context.get("asking_id"), "")}
        connection.execute(sa.update(mails).where(mails.c.id == mail_id).values(context=named))
    connection.execute(sa.update(mails).where(asked).values(kind="rights_asked"))


def _mails() -> Any:
    columns = (sa.column("id"), sa.column("kind"), sa.column("state"), sa.column("context", sa.JSON()))
    return sa.table("mail_outbox", *columns)
