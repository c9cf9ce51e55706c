"""The only reader of the time, and the only place that knows the club's time zone.

Times are in UTC in the database, and in the club's local time (`CLUB_TIMEZONE`) where people read or type them.
"""

import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from babel.dates import format_datetime

from clubapp.refusals import Invalid
from clubapp.settings import settings

log = logging.getLogger(__name__)

NON_EXISTENT = "Cette heure n’existe pas\u00a0: ce jour-là, l’horloge avance d’une heure. Choisissez une autre heure."

RECENT = timedelta(days=180)
LEAP = timedelta(days=1)
BELIEVED_AFTER = timedelta(days=1)  # a leap that lasts so long is taken for the true time

_read: Callable[[], datetime] = lambda: datetime.now(UTC)  # noqa: E731 - tests replace it
# CLOCK_BOOTTIME also counts the time that the machine is suspended; only Linux has it.
_ELAPSED_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
_believed: tuple[datetime, float] | None = None  # a plausible instant, and `_elapsed()` at that instant
_leapt_at: float | None = None  # `_elapsed()` when a leap was noticed


def now() -> datetime:
    """The present instant, aware, in UTC."""
    return _read()


def watch(on: bool = True) -> None:
    """Begin, or end, to compare the clock with the elapsed time. The present instant counts as plausible."""
    global _believed, _leapt_at
    _believed, _leapt_at = ((now(), _elapsed()) if on else None), None


def is_plausible() -> bool:
    """Whether jobs may act on the date: False while the clock is more than LEAP ahead of the elapsed time.

    A machine's clock may leap by years and come back; after BELIEVED_AFTER the new time is taken for true. Only the
    process that noticed the leap knows of it; always True in a process that does not `watch`.
    """
    global _believed, _leapt_at  # noqa: PLW0603 - one clock a process
    if _believed is None:
        return True
    instant, elapsed = now(), _elapsed()
    ahead = instant - _believed[0] - timedelta(seconds=elapsed - _believed[1])
    if abs(ahead) > LEAP:
        if _leapt_at is None:
            log.warning("the clock leapt by %s: what goes by the date rests while it is ahead", ahead)
            _leapt_at = elapsed
        if elapsed - _leapt_at < BELIEVED_AFTER.total_seconds():
            return ahead < LEAP
    _believed, _leapt_at = (instant, elapsed), None
    return True


def _elapsed() -> float:
    return time.clock_gettime(_ELAPSED_CLOCK)


def zone() -> ZoneInfo:
    """The club's time zone."""
    return ZoneInfo(settings().timezone)


def from_milliseconds(milliseconds: float) -> datetime:
    """The instant that a browser counts from 1970.

    Raises:
        ValueError: when no calendar has it; OverflowError or OSError when no machine does.
    """
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


def to_local(instant: datetime) -> datetime:
    """The club's local time at an instant."""
    return instant.astimezone(zone())


def from_local(text: str) -> datetime:
    """The UTC instant of a form's local time, such as '2025-05-05T14:00'.

    A time that the change of hour skips is refused (C2); a time that happens twice is the first of the two, in summer
    time.

    Raises:
        Invalid: when the text is not a time, or names an hour that does not exist.
    """
    try:
        naive = datetime.fromisoformat(text[:16])
    except ValueError:
        raise Invalid("Indiquez une date et une heure valides.", field="date") from None
    local = naive.replace(tzinfo=zone(), fold=0)
    instant = local.astimezone(UTC)
    if instant.astimezone(zone()).replace(tzinfo=None) != naive:
        raise Invalid(NON_EXISTENT, field="date")
    return instant


def to_form(instant: datetime) -> str:
    """The value of a `datetime-local` field: the club's local time to the minute, 16 characters."""
    return to_local(instant).strftime("%Y-%m-%dT%H:%M")


def month_of(instant: datetime) -> str:
    """The club's month an instant falls in, such as '2025-05' (C3)."""
    return to_local(instant).strftime("%Y-%m")


def _use_ordinal(text: str) -> str:
    """French writes the first day of a month '1er'."""
    return text.replace(" 1 ", " 1er ", 1)


def long_date(instant: datetime) -> str:
    """'lundi 5 mai 2025 à 14:00' (C6)."""
    return _use_ordinal(_format(instant, "EEEE d MMMM yyyy 'à' HH:mm"))


def long_day(instant: datetime) -> str:
    """'lundi 5 mai 2025'."""
    return _use_ordinal(_format(instant, "EEEE d MMMM yyyy") + " ").strip()


def near_day(instant: datetime) -> str:
    """'aujourd’hui', 'demain', else 'lun. 7 déc.'."""
    days = (to_local(instant).date() - to_local(now()).date()).days
    return {0: "aujourd’hui", 1: "demain"}.get(days) or _use_ordinal(_format(instant, "EEE d MMM"))


def near_moment(instant: datetime) -> str:
    """'aujourd’hui à 09:00', 'demain à 09:00', else 'le lun. 7 déc. à 09:00'."""
    days = (to_local(instant).date() - to_local(now()).date()).days
    return f"{near_day(instant) if days in (0, 1) else f'le {near_day(instant)}'} à {hour(instant)}"


def day_and_month(instant: datetime) -> str:
    """'7 déc.'."""
    return _use_ordinal(f" {_format(instant, 'd MMM')}").strip()


def recent_moment(instant: datetime) -> str:
    """'aujourd’hui à 08:12', 'hier à 18:20', then 'le 26 novembre', and 'le 26 novembre 2025' after half a year."""
    days = (to_local(now()).date() - to_local(instant).date()).days
    if days in (0, 1):
        return f"{('aujourd’hui', 'hier')[days]} à {hour(instant)}"
    is_recent = abs(now() - instant) < RECENT
    return _use_ordinal(f"le {_format(instant, 'd MMMM' if is_recent else 'd MMMM yyyy')}")


def call_moment(instant: datetime) -> str:
    """'aujourd’hui à 08:12', 'hier à 18:20', 'mardi à 10:12' within a week, then 'le 26 novembre'."""
    days = (to_local(now()).date() - to_local(instant).date()).days
    return f"{_format(instant, 'EEEE')} à {hour(instant)}" if 1 < days < 7 else recent_moment(instant)


def plain_day(instant: datetime) -> str:
    """'5 mai 2025'."""
    return _use_ordinal(f" {_format(instant, 'd MMMM yyyy')}").strip()


def short_day(instant: datetime) -> str:
    """'dim. 6 décembre à 18:00', in two parts that do not break."""
    day, at = _use_ordinal(_format(instant, "EEE d MMMM|'à' HH:mm")).split("|")
    return " ".join(part.replace(" ", "\u00a0") for part in (day, at))


def day_parts(instant: datetime) -> tuple[str, str, str]:
    """Month, day of the month and day of the week: 'mai', '5', 'lundi'; '1er' for the first."""
    month, day, weekday = _format(instant, "LLLL|d|EEEE").split("|")
    return month, "1er" if day == "1" else day, weekday


def dated_parts(instant: datetime) -> tuple[str, str, str]:
    """`day_parts`, the month with its year where that is not the current one: 'sept. 2022'."""
    month, day, weekday = day_parts(instant)
    is_this_year = to_local(instant).year == to_local(now()).year
    return month if is_this_year else _format(instant, "LLL yyyy"), day, weekday


def hour(instant: datetime) -> str:
    """'14:00'."""
    return _format(instant, "HH:mm")


def short_date(instant: datetime) -> str:
    """'05/05/2025 à 14:00'."""
    return _format(instant, "dd/MM/yyyy 'à' HH:mm")


def since_when(instant: datetime) -> str:
    """'08:12', 'hier', 'lundi', then '26 nov.', and '26 nov. 2025' after half a year."""
    days = (to_local(now()).date() - to_local(instant).date()).days
    if 0 <= days < 7:
        return (hour(instant), "hier")[days] if days < 2 else _format(instant, "EEEE")
    return brief_day(instant)


def brief(instant: datetime) -> str:
    """'5 mai, 14:00' within half a year, '5 mai 2025' before."""
    is_recent = abs(now() - instant) < RECENT
    return _use_ordinal(" " + _format(instant, "d MMM, HH:mm" if is_recent else "d MMM yyyy")).strip()


def brief_day(instant: datetime) -> str:
    """'5 mai' within half a year, '5 mai 2025' before."""
    is_recent = abs(now() - instant) < RECENT
    return _use_ordinal(" " + _format(instant, "d MMM" if is_recent else "d MMM yyyy")).strip()


def short_month(instant: datetime, *, with_year: bool = False) -> str:
    """'déc.', or 'déc. 26'."""
    return _format(instant, "LLL yy" if with_year else "LLL")


def month_name(instant: datetime) -> str:
    """'mai 2025'."""
    return _format(instant, "LLLL yyyy")


def _format(instant: datetime, pattern: str) -> str:
    return _format_minute(to_local(instant).replace(second=0, microsecond=0, tzinfo=None), pattern)


@lru_cache(maxsize=4096)
def _format_minute(local: datetime, pattern: str) -> str:
    """Cached, because a list shows the same few dates again and again."""
    return format_datetime(local, pattern, locale="fr_FR")
