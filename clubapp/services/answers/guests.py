"""The guests of a reservation as far as they are named, and the wishes for the meal: one writer, whoever answers.

A guest of whom nothing was said has no row: `guest_count` counts them. Every function stands in the caller's
transaction, which holds the reservation (`capacity.lock_reservation`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from sqlalchemy import and_, or_, update
from sqlalchemy import select as select_rows
from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.mail.messages.broadcast import KIND as BROADCAST
from clubapp.mail.messages.guest_notice import GUEST_GONE, KINDS
from clubapp.mail.messages.recipients_now import MEMBER_GONE
from clubapp.models import Event, EventGuest, EventReservation, OutboxMail
from clubapp.refusals import Invalid
from clubapp.services.answers import capacity, guest_mails
from clubapp.services.attendance.announced_people import forget_announced
from clubapp.services.attendance.people import guest_id, taken_positions
from clubapp.services.base.form_fields import FormCheck

FEWER_GUESTS = "Vous n’avez pas annoncé autant d’invités\u00a0: indiquez d’abord leur nombre."
SAME_ADDRESS = "Un autre de vos invités a déjà cette adresse\u00a0: laissez l’une des deux vide."
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
    return read_guests_of(session, {reservation.id: reservation.guest_count}).get(reservation.id, ())


def read_guests_of(session: Session, counts: Mapping[str, int]) -> dict[str, tuple[GuestEntry, ...]]:
    """`read_guests` of several reservations, by id; `counts` are their numbers of guests."""
    bring = {reservation: count for reservation, count in counts.items() if count}
    if not bring:
        return {}
    named = select(EventGuest).where(col(EventGuest.reservation_id).in_(bring))
    at: dict[str, dict[int, GuestEntry]] = {reservation: {} for reservation in bring}
    for row in session.exec(named):
        at[row.reservation_id or ""][row.position or 0] = _entry(row)
    return {
        reservation: tuple(
            known.get(position, GuestEntry()) for position in taken_positions(known.keys(), bring[reservation])
        )
        for reservation, known in at.items()
    }


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


def list_names(entries: Sequence[GuestEntry]) -> tuple[str, ...]:
    """'Zoé Lys, Lys & Cie', an address, or 'Invité 2', for who brings them; nothing when nothing is known of any."""
    if not any(entry.name or entry.company or entry.email for entry in entries):
        return ()
    return tuple(
        ", ".join(filter(None, (entry.name or entry.email or f"Invité {number}", entry.company)))
        for number, entry in enumerate(entries, 1)
    )


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
        TooMany: after too many mails to guests within a day, for an address more: whoever holds a link must not be
            able to write to strangers without end (W14).
    """
    if any(not entry.is_blank for entry in entries[reservation.guest_count :]):
        raise Invalid(FEWER_GUESTS)
    rows = _rows(session, reservation)
    before = {row.position or 0: _entry(row) for row in rows}
    positions = taken_positions(before.keys(), reservation.guest_count)
    checked = _check(entries, [before.get(position, GuestEntry()) for position in positions])
    after = {position: entry for position, entry in zip(positions, checked, strict=False) if not entry.is_blank}
    if after == before:
        return
    removed = _rewrite(session, reservation, rows, after)
    if not capacity.has_begun(event):
        guest_mails.queue_removals(session, event, removed)
        guest_mails.queue_notices(session, reservation, _rows(session, reservation))


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
    """Forget the last guests beyond `guest_count`, and the wish of who does not come. To be called when it falls."""
    if not reservation.will_attend:
        reservation.meal_wish = ""
    removed = _rows(session, reservation)[reservation.guest_count :]
    event = session.get(Event, reservation.event_id) if removed else None
    if event is not None and not capacity.has_begun(event):
        guest_mails.queue_removals(session, event, removed)
    for row in removed:
        session.delete(row)
    session.flush()


def remove_guest(session: Session, reservation: EventReservation, guest: EventGuest) -> None:
    """Forget one guest, who does not come: one fewer is counted, and the others keep their positions."""
    guest_mails.erase_mails(session, guest_mails.mails_about(guest.id), GUEST_GONE)
    session.delete(guest)
    reservation.guest_count -= 1
    reservation.updated_at = clock.now()
    session.add(reservation)
    session.flush()


def erase_guest(session: Session, guest: EventGuest) -> None:
    """Erase all that is known of a guest but whether they eat; they still count, and their link ends."""
    forget_announced(session, guest_id(guest.reservation_id or "", guest.position or 0))
    _forget_names(session, [guest])
    guest_mails.erase_mails(session, guest_mails.mails_about(guest.id), GUEST_GONE)


def forget_names(session: Session, which: Any) -> None:
    """Erase all that is known of some guests, by a criterion, but whether they eat."""
    is_named = or_(*(getattr(EventGuest, text) != "" for text in ("name", "company", "email", "meal_wish")))
    named = select(EventGuest).where(which, is_named).order_by(col(EventGuest.id))
    _forget_names(session, session.exec(named.with_for_update()).all())  # by one of two processes


def erase_guests_of(session: Session, member_id: str) -> None:
    """Erase whom a member named, and their own wishes, when they leave the club; how many came and ate stays.

    Who was told of the meeting still learns that they are not expected any more.
    """
    own = select_rows(col(EventReservation.id)).where(col(EventReservation.member_id) == member_id)
    of_guests = (
        col(OutboxMail.reservation_id).in_(own),
        col(OutboxMail.kind).in_((*KINDS, BROADCAST)),
        ~guest_mails.waits_to_tell(),
    )
    guest_mails.erase_mails(session, and_(*of_guests), MEMBER_GONE)
    forget_names(session, col(EventGuest.reservation_id).in_(own))
    session.execute(update(EventReservation).where(col(EventReservation.member_id) == member_id).values(meal_wish=""))


def _forget_names(session: Session, rows: Sequence[EventGuest]) -> None:
    """Put a row with another id in place of each, if it was said whether the guest eats; else none."""
    kept = ("event_id", "reservation_id", "position", "with_lunch")
    values = [{name: getattr(row, name) for name in kept} for row in rows if row.with_lunch is not None]
    for row in rows:
        session.delete(row)
    session.flush()  # before positions are given again
    session.add_all(EventGuest(**each, created_at=clock.now(), updated_at=clock.now()) for each in values)
    session.flush()


def _rewrite(
    session: Session, reservation: EventReservation, rows: Sequence[EventGuest], after: Mapping[int, GuestEntry]
) -> list[EventGuest]:
    """Write the guests anew. Returns the rows of those who are gone."""
    left = list(rows)
    values = [(position, entry, _take_row(left, position, entry)) for position, entry in after.items()]
    for row in rows:
        session.delete(row)
    session.flush()  # before positions are given again
    now = clock.now()
    for position, entry, former in values:
        session.add(
            EventGuest(
                event_id=reservation.event_id,
                reservation_id=reservation.id,
                position=position,
                updated_at=now,
                **(former or {"created_at": now}),
                **vars(entry),
            )
        )
    session.flush()
    return left


def _rows(session: Session, reservation: EventReservation) -> list[EventGuest]:
    named = select(EventGuest).where(EventGuest.reservation_id == reservation.id)
    return list(session.exec(named.order_by(col(EventGuest.position))))


def _entry(row: EventGuest) -> GuestEntry:
    return GuestEntry(row.name, row.company, row.email, row.with_lunch, row.meal_wish)


def _check(entries: Sequence[GuestEntry], before: Sequence[GuestEntry]) -> list[GuestEntry]:
    check = FormCheck()
    checked = [
        GuestEntry(
            name=check.line(f"{NAME}_{number}", entry.name),
            company=check.line(f"{COMPANY}_{number}", entry.company),
            email=check.email(f"{EMAIL}_{number}", entry.email, stored.email),
            with_lunch=entry.with_lunch,
            meal_wish=check.line(f"{WISH}_{number}", entry.meal_wish),
        )
        for number, (entry, stored) in enumerate(zip(entries, before, strict=False), 1)
    ]
    seen: set[str] = set()
    for number, entry in enumerate(checked, 1):
        if entry.email in seen:
            check.errors[f"{EMAIL}_{number}"] = SAME_ADDRESS
        seen.add(entry.email or str(number))
    check.raise_errors()
    return checked


def _take_row(left: list[EventGuest], position: int, entry: GuestEntry) -> dict[str, Any] | None:
    """What stays of a guest's former row, which leaves the list: of their address, wherever it stood, else
    the one of their position if it had no address."""
    same = [row for row in left if entry.email and row.email == entry.email]
    here = [row for row in left if not row.email and row.position == position]
    row = next(iter([*same, *here]), None)
    if row is None:
        return None
    left.remove(row)
    opted_out_at = row.opted_out_at if row.email == entry.email else None
    return {"id": row.id, "created_at": row.created_at, "opted_out_at": opted_out_at}
