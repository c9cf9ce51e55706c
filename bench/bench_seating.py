"""How many people meet at table for the first time, beside random seatings of the same evening."""

import random
import statistics
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path

from bench.figures import Figure
from clubapp.services.attendance.people import Person
from clubapp.services.seating.history import PastMeetings
from clubapp.services.seating.propose import may_share_table, propose_seating

PEOPLE, COMPANIES, DOMAINS, MEETINGS, RANDOM = 60, 45, 7, 6, 1_000
TABLES = (8,) * 8
MORE_MEETINGS, SECONDS = 1.3, 2


def measure(_folder: Path) -> list[Figure]:
    """One evening of 60 people of 45 companies, after six at which they sat by chance."""
    dice, club = random.Random(11), _club()
    names = [one.id for one in club]
    evenings = [_seat_by_chance(names, dice) for _ in range(MEETINGS)]
    past = _meetings(names, evenings)
    begun = time.perf_counter()
    proposal = propose_seating(club, TABLES, past.weigh_pairs(names), {}, seed=1)
    took = time.perf_counter() - begun
    new, same = _count(club, proposal.table_of, past)
    chance = [_count(club, _seat_by_chance(names, dice), past) for _ in range(RANDOM)]
    new_by_chance, same_by_chance = (statistics.median(counts) for counts in zip(*chance, strict=True))
    limit = f"limit {MORE_MEETINGS:.0%} of it"
    return [
        Figure(
            f"first meetings at table, {PEOPLE} people of {COMPANIES} companies after {MEETINGS} evenings",
            f"{new}, {new / new_by_chance:.0%} of the median",
            f"{new_by_chance:.0f}, the median of {RANDOM} random seatings ({limit})",
        ),
        Figure("pairs of one company at a table", str(same), f"{same_by_chance:.0f}, the median of the same (limit 0)"),
        Figure("a proposed seating", f"{took:.2f} s", f"limit {SECONDS} s"),
    ]


def _club() -> list[Person]:
    companies = [number % COMPANIES for number in range(PEOPLE)]
    return [
        Person(f"m{number:02}", f"Membre {number}", f"Société {company}", f"Domaine {company % DOMAINS}")
        for number, company in enumerate(companies)
    ]


def _seat_by_chance(names: Sequence[str], dice: random.Random) -> dict[str, int]:
    chairs = [table for table, seats in enumerate(TABLES) for _ in range(seats)]
    return dict(zip(dice.sample(names, len(names)), dice.sample(chairs, len(names)), strict=True))


def _meetings(names: Sequence[str], evenings: Sequence[Mapping[str, int]]) -> PastMeetings:
    days = frozenset(str(day) for day in range(len(evenings)))
    tables = {one: frozenset((str(day), evening[one]) for day, evening in enumerate(evenings)) for one in names}
    return PastMeetings(dict.fromkeys(names, days), tables)


def _count(club: Iterable[Person], table_of: Mapping[str, int], past: PastMeetings) -> tuple[int, int]:
    """The pairs at one table who never sat together, and those of one company."""
    pairs = [two for two in combinations(club, 2) if table_of[two[0].id] == table_of[two[1].id]]
    kinds = Counter((past.has_sat_together(one.id, other.id), may_share_table(one, other)) for one, other in pairs)
    return kinds[False, True] + kinds[False, False], kinds[False, False] + kinds[True, False]
