"""Proposes who sits at which table, so that people meet whom they have not met. Knows no database.

In order: nobody more than there are seats, a guest beside who brings them, not twice one company at a table, speakers
spread, pairs who have met least first, domains mixed. A local search: exchange people between two tables, keep what is
better, and now and then what is not, less and less often. Its number of steps is fixed, so that a seed has one result.
"""

import math
import random
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from operator import add, sub

from clubapp.services.attendance.people import Person
from clubapp.text.collation import fold

History = Mapping[tuple[str, str], int]

# What a pair at one table costs, or is worth. Each outweighs many of the next.
_WITH_HOST, _SAME_COMPANY, _SPEAKERS, _EMPTY_SEATS = -20_000, 4_000, 1_000, 60
_EVER_MET, _EACH_MEETING, _SAME_DOMAIN = 8, 2, 1
_STEPS_A_PERSON, _MOST_STEPS = 2_000, 200_000
_HOTTEST, _COLDEST = 24.0, 0.4


@dataclass(frozen=True)
class Proposal:
    """The table of each person, by id, as an index into the seat counts; `unseated` are those who got no seat."""

    table_of: Mapping[str, int]
    unseated: tuple[str, ...] = ()


def propose_seating(
    people: Sequence[Person],
    tables: Sequence[int],
    history: History,
    locked: Mapping[str, int],
    seed: int,
    *,
    speakers: Collection[str] = (),
) -> Proposal:
    """Seat people at tables of that many seats each. The same arguments give the same result.

    `history` says how much a pair, keys in order as `pair` makes them, has met; a pair it does not name never has.
    Who is `locked` sits at that table, whatever the seats. When seats are too few, the last parties stay out.
    """
    dice = random.Random(seed)  # noqa: S311 - no secret
    search = _Search(people, tables, history, locked, dice=dice, speakers=frozenset(speakers))
    search.improve()
    return Proposal(search.seated(), tuple(search.left_out))


def pair(one: str, other: str) -> tuple[str, str]:
    """The key of a pair in a history."""
    return (one, other) if one < other else (other, one)


def may_share_table(one: Person, other: Person) -> bool:
    """Whether two people may sit together: not of one company, unless one of them brings the other."""
    company = fold(one.company)
    return not company or company != fold(other.company) or _belong_together(one, other)


def _belong_together(one: Person, other: Person) -> bool:
    """A guest and their host, or two guests of one host."""
    return (one.host_id or one.id) == (other.host_id or other.id)


def _pair_cost(one: Person, other: Person, history: History, speakers: frozenset[str]) -> int:
    if one.host_id == other.id or other.host_id == one.id:
        return _WITH_HOST
    met = history.get(pair(one.id, other.id), 0)
    cost = _EVER_MET + _EACH_MEETING * met if met else 0
    if not may_share_table(one, other):
        cost += _SAME_COMPANY
    if one.id in speakers and other.id in speakers:
        cost += _SPEAKERS
    return cost + (_SAME_DOMAIN if one.domain and one.domain == other.domain else 0)


class _Search:
    """People and empty seats are numbers. `_near[t][n]` is what all at table `t` cost `n`, who may sit elsewhere.

    A unit is a guest with who brings them: it changes tables as a whole. An empty seat is a unit of its own.
    """

    def __init__(
        self,
        people: Sequence[Person],
        tables: Sequence[int],
        history: History,
        locked: Mapping[str, int],
        *,
        dice: random.Random,
        speakers: frozenset[str],
    ) -> None:
        self._dice = dice
        self._people = [*people]
        held = {number: locked[one.id] for number, one in enumerate(people) if one.id in locked}
        self._free = [max(0, seats - list(held.values()).count(table)) for table, seats in enumerate(tables)]
        groups, out = self._group(held)
        self.left_out = [people[number].id for number in out]
        empty = [[len(people) + number] for number in range(sum(self._free) - sum(map(len, groups)))]
        self._costs = self._count_costs(len(people) + len(empty), history, speakers)
        self._table = dict(held)
        self._near = [[0] * len(self._costs) for _ in tables]
        for number, table in held.items():
            self._add(number, table)
        self._units: list[list[list[int]]] = [[] for _ in tables]
        self._fill(groups)
        self._fill(empty)

    def _group(self, held: Mapping[int, int]) -> tuple[list[list[int]], list[int]]:
        """Everyone who is not held, each with their guests; and whom there are no seats for."""
        by_host: defaultdict[str, list[int]] = defaultdict(list)
        for number, one in enumerate(self._people):
            if number not in held:
                by_host[one.host_id or one.id].append(number)
        room, groups, out = sum(self._free), list[list[int]](), list[int]()
        for members in by_host.values():
            if len(members) <= room:
                groups.append(members)
                room -= len(members)
            else:
                out += members
        return groups, out

    def _count_costs(self, size: int, history: History, speakers: frozenset[str]) -> list[list[int]]:
        count, costs = len(self._people), [[0] * size for _ in range(size)]
        for one in range(size):
            for other in range(one):
                if one < count:
                    cost = _pair_cost(self._people[one], self._people[other], history, speakers)
                else:
                    cost = _EMPTY_SEATS if other >= count else 0
                costs[one][other] = costs[other][one] = cost
        return costs

    def _fill(self, groups: Sequence[list[int]]) -> None:
        """Each group at the table where it costs least; a group that no table has room for is taken apart."""
        for group in sorted(self._dice.sample(groups, len(groups)), key=len, reverse=True):
            for unit in [group] if len(group) <= max(self._free) else [[number] for number in group]:
                rooms = [table for table, free in enumerate(self._free) if free >= len(unit)]
                table = min(rooms, key=lambda table: sum(self._near[table][number] for number in unit))
                self._units[table].append(unit)
                self._free[table] -= len(unit)
                for number in unit:
                    self._add(number, table)

    def _add(self, number: int, table: int) -> None:
        self._table[number] = table
        self._near[table] = list(map(add, self._near[table], self._costs[number]))

    def improve(self) -> None:
        """Exchange people until the number of steps is used up."""
        free = [table for table, units in enumerate(self._units) if units]
        if len(free) < 2:
            return
        steps = min(_MOST_STEPS, _STEPS_A_PERSON * len(self._costs))
        cooling = (_COLDEST / _HOTTEST) ** (1 / steps)
        heat, chance = _HOTTEST, self._dice.random
        for _ in range(steps):
            heat *= cooling
            here = free[int(chance() * len(free))]
            there = free[int(chance() * len(free))]
            if here == there or not self._units[here] or not self._units[there]:
                continue
            units = self._units[here]
            unit = units[int(chance() * len(units))]
            others = self._as_many(there, len(unit))
            if not others:
                continue
            more = self._change(unit, here, [number for each in others for number in each], there)
            if more <= 0 or chance() < math.exp(-more / heat):
                self._exchange(unit, here, others, there)

    def _as_many(self, table: int, seats: int) -> list[list[int]]:
        """Units of a table, chosen by chance, that take that many seats; none when they do not add up."""
        units = self._units[table]
        if seats == 1:
            chosen = units[int(self._dice.random() * len(units))]
            return [chosen] if len(chosen) == 1 else []
        found: list[list[int]] = []
        for unit in self._dice.sample(units, len(units)):
            if len(unit) <= seats:
                found.append(unit)
                seats -= len(unit)
        return [] if seats else found

    def _change(self, unit: list[int], here: int, others: list[int], there: int) -> int:
        """By how much the whole costs more after the exchange."""
        costs, here_near, there_near, more = self._costs, self._near[here], self._near[there], 0
        for one in unit:
            more += there_near[one] - here_near[one]
            row = costs[one]
            for other in others:
                more -= 2 * row[other]
        for other in others:
            more += here_near[other] - there_near[other]
        for together in (unit, others):
            if len(together) > 1:
                more += sum(costs[one][other] for one in together for other in together)
        return more

    def _exchange(self, unit: list[int], here: int, others: list[list[int]], there: int) -> None:
        for each, source, target in ((unit, here, there), *((other, there, here) for other in others)):
            self._units[source].remove(each)
            self._units[target].append(each)
            for number in each:
                self._table[number] = target
                self._near[source] = list(map(sub, self._near[source], self._costs[number]))
                self._near[target] = list(map(add, self._near[target], self._costs[number]))

    def seated(self) -> dict[str, int]:
        """The table of everyone who has a seat."""
        return {one.id: self._table[number] for number, one in enumerate(self._people) if number in self._table}
