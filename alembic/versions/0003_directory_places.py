"""Where each member stands in the directory, for the database to give the first of many without reading them all."""

import unicodedata

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

# Behind everyone else: a program that knows no places writes this one.
_UNPLACED = "2"
_LETTERS = str.maketrans({"œ": "oe", "Œ": "Oe", "æ": "ae", "Æ": "Ae"})


def upgrade() -> None:
    is_postgres = op.get_bind().dialect.name == "postgresql"
    text = sa.String(collation="C" if is_postgres else None)  # both engines compare bytes
    op.add_column("members", sa.Column("directory_place", text, server_default=_UNPLACED, nullable=False))
    _fill()
    op.create_index("ix_members_directory", "members", ["is_active", "is_listed", "directory_place", "id"])
    op.create_index(
        "ix_members_domain", "members", ["activity_domain", "is_active", "is_listed", "directory_place", "id"]
    )


def downgrade() -> None:
    op.drop_index("ix_members_domain", table_name="members")
    op.drop_index("ix_members_directory", table_name="members")
    op.drop_column("members", "directory_place")


def _fill() -> None:
    members = sa.table("members", *(sa.column(name) for name in ("id", "company", "name", "directory_place")))
    rows = op.get_bind().execute(sa.select(members.c.id, members.c.company, members.c.name)).all()
    which = members.update().where(members.c.id == sa.bindparam("of")).values(directory_place=sa.bindparam("place"))
    if rows:
        op.get_bind().execute(which, [{"of": row.id, "place": _place(row.company, row.name)} for row in rows])


def _place(company: str, name: str) -> str:
    last, first = _fold(name)[:150], _fold(company)[:150]
    return f"0{first}\x01{last}" if first else f"1{last}"


def _fold(text: str) -> str:
    opened = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    return "".join(one for one in opened if not unicodedata.combining(one)).casefold().strip()
