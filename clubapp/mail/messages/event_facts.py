"""The facts of an event that a mail shows below its text: when, where, with whom."""

from dataclasses import dataclass

from clubapp import clock
from clubapp.models import Event


@dataclass(frozen=True)
class Speaker:
    """Someone who speaks at an event."""

    name: str
    role: str
    company: str

    @property
    def line(self) -> str:
        """'Zoé Lefèbvre, directrice, Atelier Lefèbvre'."""
        return ", ".join(part for part in (self.name, self.role, self.company) if part)


@dataclass(frozen=True)
class Facts:
    """An event as a mail shows it, in French. Absent facts are empty."""

    title: str
    occasion: str
    date: str
    location: str
    address: str
    speakers: tuple[Speaker, ...]
    lunch: str
    places: str


def facts_of(event: Event) -> Facts:
    """The facts of an event as it is now."""
    return Facts(
        title=event.title,
        occasion=_format_occasion(clock.month_name(event.date)),
        date=clock.long_date(event.date),
        location=event.location,
        address=event.address or "",
        speakers=tuple(Speaker(row.name, row.role or "", row.company or "") for row in event.speakers),
        lunch="Un déjeuner est proposé après la rencontre." if event.has_lunch else "",
        places=_format_places(event.max_participants),
    )


def _format_occasion(month: str) -> str:
    """'Rencontre de mai 2025', 'Rencontre d'avril 2025'."""
    return f"Rencontre d'{month}" if month[0] in "ao" else f"Rencontre de {month}"


def _format_places(limit: int | None) -> str:
    return "" if limit is None else "1 place" if limit == 1 else f"{limit} places"
