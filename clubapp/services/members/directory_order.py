"""Repairs the stored order of the directory after a program version that does not know it has written members."""

from sqlalchemy import bindparam, select, update
from sqlmodel import Session, col

from clubapp.models import Member, directory_place


def repair_places(session: Session) -> int:
    """Correct every wrong `directory_place`; return how many."""
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
