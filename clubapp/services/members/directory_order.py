"""Keeps the members in their order while programs of two versions write: the older one knows no places."""

from sqlalchemy import bindparam, select, update
from sqlmodel import Session, col

from clubapp.models import Member, directory_place


def order_all(session: Session) -> int:
    """Put back in their place those who were written or renamed without it; how many."""
    connection = session.connection()
    columns = select(col(Member.id), col(Member.company), col(Member.name), col(Member.directory_place))
    places = (
        (row.id, row.directory_place, directory_place(row.company, row.name)) for row in connection.execute(columns)
    )
    wrong = [{"of": member_id, "place": right} for member_id, held, right in places if held != right]
    if wrong:
        settled = update(Member).where(col(Member.id) == bindparam("of")).values(directory_place=bindparam("place"))
        connection.execute(settled, wrong)
    return len(wrong)
