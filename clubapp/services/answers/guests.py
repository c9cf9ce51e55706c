"""The guests of a reservation as far as they are named, and the wishes for the meal: one writer, whoever answers.

The guests are the positions 1 to `guest_count`; a guest of whom nothing was said has no row. Every function stands in
the caller's transaction, which holds the reservation (`capacity.lock_reservation`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from sqlalchemy import delete, update
from sqlalchemy import select as select_rows
from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.models import Event, EventGuest, EventReservation, new_id
from clubapp.refusals import Invalid
from clubapp.services.attendance.people import guest_name
from clubapp.services.base.form_fields import FormCheck

FEWER_GUESTS = "Vous n’avez pas annoncé autant d’invités\u00a0: indiquez d’abord leur nombre."
NAME, COMPANY, EMAIL, LUNCH, WISH, OWN_WISH = (
    "guest_name", "guest_company", "guest_email", "guest_lunch", "guest_wish", "meal_wish",
)  # fmt: skip
FIELDS = (NAME, COMPANY, EMAIL, LUNCH, WISH, OWN_WISH)
WITH, WITHOUT = "true", "false"


@dataclass(frozen=True)
class GuestEntry:
    """What is said of one guest. `with_lunch` is None while it follows the member's choice."""

    name: str = ""
    company: str = ""
    email: str = ""
    with_lunch: bool | None = None
    meal_wish: str = ""

    @property
    def is_blank(self) -> bool:
        """Whether nothing is said."""
        return self == GuestEntry()


@dataclass(frozen=True)
class GuestFields:
    """The fields of one guest in a form, the `number`th from 1. `lunch` is WITH, WITHOUT, or empty as the member's.

    The other texts say what is wrong with a field.
    """

    number: str
    name: str
    company: str
    email: str
    lunch: str
    wish: str
    wrong_name: str = ""
    wrong_company: str = ""
    wrong_email: str = ""
    wrong_wish: str = ""

    @property
    def is_wrong(self) -> bool:
        """Whether any field is."""
        return any((self.wrong_name, self.wrong_company, self.wrong_email, self.wrong_wish))


def read_guests(session: Session, reservation: EventReservation) -> tuple[GuestEntry, ...]:
    """As many entries as there are guests; blank ones where nothing was said."""
    at = {row.position: _entry(row) for row in _rows(session, reservation)} if reservation.guest_count else {}
    return tuple(at.get(position, GuestEntry()) for position in range(1, reservation.guest_count + 1))


def describe_fields(
    entries: Sequence[GuestEntry], errors: Mapping[str, str] = MappingProxyType({})
) -> tuple[GuestFields, ...]:
    """The fields of a form. `errors` are those of `InvalidForm`."""
    return tuple(
        GuestFields(
            number=str(number),
            name=entry.name,
            company=entry.company,
            email=entry.email,
            lunch={True: WITH, False: WITHOUT, None: ""}[entry.with_lunch],
            wish=entry.meal_wish,
            wrong_name=errors.get(f"{NAME}_{number}", ""),
            wrong_company=errors.get(f"{COMPANY}_{number}", ""),
            wrong_email=errors.get(f"{EMAIL}_{number}", ""),
            wrong_wish=errors.get(f"{WISH}_{number}", ""),
        )
        for number, entry in enumerate(entries, 1)
    )


def list_names(entries: Sequence[GuestEntry], host: str) -> tuple[str, ...]:
    """'Zoé Lys, Lys & Cie', or whose guest it is; nothing when none is named."""
    if not any(entry.name for entry in entries):
        return ()
    return tuple(", ".join(filter(None, (guest_name(entry.name, host), entry.company))) for entry in entries)


def list_named(session: Session, reservation_ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """'Zoé Lys, Lys & Cie' by reservation: the guests who have a name."""
    named: dict[str, tuple[str, ...]] = {}
    own = col(EventGuest.reservation_id).in_(reservation_ids), col(EventGuest.name) != ""
    rows = session.exec(select(EventGuest).where(*own).order_by(col(EventGuest.position))) if reservation_ids else ()
    for row in rows:
        told = ", ".join(filter(None, (row.name, row.company)))
        named[row.reservation_id or ""] = (*named.get(row.reservation_id or "", ()), told)
    return named


def count_named(session: Session, reservation: EventReservation) -> int:
    """How many guests have a name."""
    return sum(bool(entry.name) for entry in read_guests(session, reservation))


def save_guests(session: Session, event: Event, reservation: EventReservation, entries: Sequence[GuestEntry]) -> None:
    """Keep what is said of the guests, in their order; nothing is required. Who is not mentioned any more goes.

    A guest keeps their row while their address stays; a new address is a new guest, so that the link in the mail to
    the former one ends.

    Raises:
        Invalid: for more guests than are counted.
        InvalidForm: for an address that is none, or a text that is too long: nothing is kept then.
    """
    if any(not entry.is_blank for entry in entries[reservation.guest_count :]):
        raise Invalid(FEWER_GUESTS)
    rows = _rows(session, reservation)
    before = tuple((row.position, _entry(row)) for row in rows)
    checked = _check(entries[: reservation.guest_count], before)
    after = tuple((position, entry) for position, entry in enumerate(checked, 1) if not entry.is_blank)
    if after == before:
        return
    kept = _match(rows, after)
    values = [(position, entry, (row.id, row.created_at) if row else None) for (position, entry), row in kept]
    for row in rows:
        session.delete(row)
    session.flush()  # before positions are given again
    now = clock.now()
    for position, entry, former in values:
        identifier, created_at = former or (new_id(), now)
        session.add(
            EventGuest(
                id=identifier,
                event_id=event.id,
                reservation_id=reservation.id,
                position=position,
                created_at=created_at,
                updated_at=now,
                **vars(entry),
            )
        )
    session.flush()


def save_own_wish(session: Session, reservation: EventReservation, wish: str) -> None:
    """Keep what the member wishes for their own meal.

    Raises:
        InvalidForm: when it is too long.
    """
    check = FormCheck()
    reservation.meal_wish = check.line(OWN_WISH, wish)
    check.raise_errors()
    session.add(reservation)


def remove_uncounted(session: Session, reservation: EventReservation) -> None:
    """Forget the guests beyond `guest_count`, and every wish of who does not come. To be called when either changes."""
    if not reservation.will_attend:
        reservation.meal_wish = ""
    session.flush()
    session.execute(
        delete(EventGuest).where(
            col(EventGuest.reservation_id) == reservation.id, col(EventGuest.position) > reservation.guest_count
        )
    )


def erase_guests_of(session: Session, member_id: str) -> None:
    """Erase whom a member named, and their own wishes, when they leave the club; the number of guests stays."""
    own = select_rows(col(EventReservation.id)).where(col(EventReservation.member_id) == member_id)
    session.execute(delete(EventGuest).where(col(EventGuest.reservation_id).in_(own)))
    session.execute(update(EventReservation).where(col(EventReservation.member_id) == member_id).values(meal_wish=""))


def _rows(session: Session, reservation: EventReservation) -> list[EventGuest]:
    named = select(EventGuest).where(EventGuest.reservation_id == reservation.id)
    return list(session.exec(named.order_by(col(EventGuest.position))))


def _entry(row: EventGuest) -> GuestEntry:
    return GuestEntry(row.name, row.company, row.email, row.with_lunch, row.meal_wish)


def _check(entries: Sequence[GuestEntry], before: Sequence[tuple[int | None, GuestEntry]]) -> list[GuestEntry]:
    stored, check = dict(before), FormCheck()
    checked = [
        GuestEntry(
            name=check.line(f"{NAME}_{number}", entry.name),
            company=check.line(f"{COMPANY}_{number}", entry.company),
            email=check.email(f"{EMAIL}_{number}", entry.email, stored.get(number, GuestEntry()).email),
            with_lunch=entry.with_lunch,
            meal_wish=check.line(f"{WISH}_{number}", entry.meal_wish),
        )
        for number, entry in enumerate(entries, 1)
    ]
    check.raise_errors()
    return checked


def _match(
    rows: Sequence[EventGuest], after: Sequence[tuple[int, GuestEntry]]
) -> list[tuple[tuple[int, GuestEntry], EventGuest | None]]:
    """Each guest with their former row: the one of their address, wherever it stood, else one without an address."""
    left = list(rows)

    def take(position: int, entry: GuestEntry) -> EventGuest | None:
        same = [row for row in left if row.email == entry.email and (entry.email or row.position == position)]
        blank = [row for row in left if not row.email and row.position == position]
        row = next(iter([*same, *blank]), None)
        if row:
            left.remove(row)
        return row

    return [((position, entry), take(position, entry)) for position, entry in after]
