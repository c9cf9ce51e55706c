"""The search itself: one for all kinds, so that what fits best comes first, whatever it is."""

from dataclasses import dataclass
from itertools import chain
from typing import Any

from sqlmodel import Session, col, select

from clubapp.models import Event
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.base.search import LONGEST_QUERY, find_records, split_words
from clubapp.services.finder import records, shortcuts
from clubapp.services.finder.records import COMPANY, MEETING, PERSON, SHORTCUT, Hit

_NAMES = {PERSON: "Personnes", COMPANY: "Entreprises", MEETING: "Rencontres", SHORTCUT: "Actions"}
_MOST = {PERSON: 6, COMPANY: 4, MEETING: 4, SHORTCUT: 4}


@dataclass(frozen=True)
class HitGroup:
    """The best hits of a kind; `more` says how many others there are."""

    kind: str
    name: str
    hits: tuple[Hit, ...]
    more: int = 0


@dataclass(frozen=True)
class Findings:
    """What was found for the text `asked`, the kind with the best hit first."""

    asked: str = ""
    groups: tuple[HitGroup, ...] = ()
    count: int = 0


def find_anything(session: Session, actor: Actor, text: str) -> Findings:
    """What matches all words of a text: people, companies, meetings, shortcuts; without words, what is often done.

    Digits find people and companies by their telephone too.
    """
    require_admin(actor)
    asked = text[:LONGEST_QUERY]
    if not split_words(asked):
        suggested = shortcuts.suggest_shortcuts()
        return Findings(asked, (HitGroup(SHORTCUT, _NAMES[SHORTCUT], suggested),), len(suggested))
    events = session.exec(select(Event).order_by(col(Event.date).desc())).all()
    sources = (
        records.list_people(session),
        records.list_companies(session),
        records.list_meetings(events),
        shortcuts.list_shortcuts(events),
    )
    kinds = [source.kind for source in sources for _ in source.rows]
    rows = list(chain.from_iterable(source.rows for source in sources))

    def order(place: int) -> tuple[Any, ...]:
        return records.order_equal(kinds[place], rows[place], place)

    places = find_records(list(chain.from_iterable(source.fields for source in sources)), asked, order)
    by_phone = sorted(records.find_by_phone(kinds, rows, asked), key=order)
    places = list(dict.fromkeys([*places, *by_phone]))
    found: dict[str, list[int]] = {}
    for place in places:
        found.setdefault(kinds[place], []).append(place)
    groups = tuple(
        HitGroup(
            kind,
            _NAMES[kind],
            tuple(records.build_hit(kind, rows[place]) for place in of_kind[: _MOST[kind]]),
            max(0, len(of_kind) - _MOST[kind]),
        )
        for kind, of_kind in found.items()
    )
    return Findings(asked, groups, len(places))
