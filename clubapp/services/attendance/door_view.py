"""The list at the door as a screen shows it: to administrators, and to helpers, who read names and companies only."""

import math
from dataclasses import dataclass

from sqlmodel import Session, select

from clubapp.models import AttendeeStatus, Member
from clubapp.services.attendance.arrivals import DoorRow, read_door
from clubapp.services.images.initials import person_initials, pick_ground
from clubapp.services.images.responsive_images import member_picture

GUEST = "invité"
_NOTES = {
    AttendeeStatus.SILENT: "sans réponse",
    AttendeeStatus.DECLINED: "a répondu non",
    AttendeeStatus.WAITING: "en liste d’attente",
    AttendeeStatus.UNINVITED: "sans invitation",
}

_UNANSWERED = (AttendeeStatus.SILENT, None)  # none is somebody unannounced whose arrival was taken back


@dataclass(frozen=True)
class ShownRow:
    """One person. `arrived` and `touched` are in ms since 1970, 0 for never; `ground` is of `pick_ground`.

    `what` stands under the name: of a guest that they are one, the company, and for administrators what a member who is
    not expected answered. `host` is the id of the member whose guest they are. `is_other` puts them under the third
    filter: for administrators who was invited and gave no answer, for helpers, who read no answer, who is not expected.
    `picture` is the URL of a member's photograph, empty for helpers.
    """

    id: str
    name: str
    company: str
    initials: str
    ground: int
    host: str
    is_guest: bool
    is_unannounced: bool
    is_expected: bool
    is_other: bool
    what: str
    picture: str
    arrived: int
    touched: int


@dataclass(frozen=True)
class ShownDoor:
    """The list, and how many arrived of how many; `is_closed` once the doors are, and who is missing is absent."""

    rows: tuple[ShownRow, ...]
    arrived: int
    expected: int
    is_closed: bool


def read_view(session: Session, event_id: str, *, is_helper: bool) -> ShownDoor:
    """The list of an event.

    Raises:
        NotFound: when the event was deleted.
    """
    door = read_door(session, event_id)
    faces = {} if is_helper else _list_faces(session)
    rows = tuple(_row(row, faces.get(row.id, ""), is_helper=is_helper) for row in door.rows)
    return ShownDoor(rows, door.arrived, door.expected, door.is_closed)


def _list_faces(session: Session) -> dict[str, str]:
    """The URLs of the members' photographs, by their ids."""
    members = session.exec(select(Member.id, Member.image_url, Member.name))
    return {member_id: member_picture(image_url, name).src for member_id, image_url, name in members}


def _row(row: DoorRow, picture: str, *, is_helper: bool) -> ShownRow:
    note = "" if is_helper or row.status is None else _NOTES.get(row.status, "")
    is_expected = row.status is AttendeeStatus.COMING
    return ShownRow(
        id=row.id,
        name=row.name,
        company=row.company,
        initials=person_initials(row.name),
        ground=pick_ground(row.name),
        host=row.host_id,
        is_guest=row.is_guest,
        is_unannounced=row.is_unannounced,
        is_expected=is_expected,
        is_other=not is_expected if is_helper else row.status in _UNANSWERED,
        what=", ".join(filter(None, (GUEST if row.is_guest and row.is_named else "", row.company, note))),
        picture=picture,
        arrived=int(row.arrived_at.timestamp() * 1000) if row.arrived_at else 0,
        touched=math.ceil(row.touched_at.timestamp() * 1000) if row.touched_at else 0,
    )
