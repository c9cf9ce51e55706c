"""Who sits where: what a proposal keeps to, and small clubs whose best seating is known."""

import random
from collections import Counter
from itertools import combinations, permutations

import pytest

from clubapp.services.attendance.people import Person
from clubapp.services.seating.propose import Proposal, may_share_table, pair, propose_seating

# Nine people over four meetings at tables of three, so that everyone meets everyone once: the only way to do it.
ROUNDS = (("abc", "def", "ghi"), ("adg", "beh", "cfi"), ("aei", "bfg", "cdh"), ("afh", "bdi", "ceg"))


def people(count: int, companies: int = 1000) -> list[Person]:
    """People 'm00', 'm01', …, spread over that many companies."""
    return [Person(f"m{number:02}", f"Membre {number}", f"Société {number % companies}") for number in range(count)]


def guest(host: Person, number: int = 1, company: str = "") -> Person:
    return Person(f"{host.id}-{number}", f"Invité {number}", company, is_guest=True, host=host.name, host_id=host.id)


def tables_of(proposal: Proposal) -> list[set[str]]:
    tables: dict[int, set[str]] = {}
    for person, table in proposal.table_of.items():
        tables.setdefault(table, set()).add(person)
    return sorted(tables.values(), key=sorted)


def same_company_pairs(who: list[Person], proposal: Proposal) -> int:
    together = [pair for pair in combinations(who, 2) if len({proposal.table_of[one.id] for one in pair}) == 1]
    return sum(not may_share_table(*pair) for pair in together)


@pytest.mark.parametrize("left_out", range(4))
def test_the_fourth_meeting_of_nine_people_at_tables_of_three_repeats_nobody(left_out: int) -> None:
    history = Counter(
        pair(*two)
        for number, rounds in enumerate(ROUNDS)
        if number != left_out
        for table in rounds
        for two in combinations(table, 2)
    )
    who = [Person(sign, sign) for sign in "abcdefghi"]
    for seed in range(3):
        found = propose_seating(who, [3, 3, 3], history, {}, seed)
        assert tables_of(found) == [set(table) for table in ROUNDS[left_out]]


def test_a_small_seating_is_as_good_as_the_best_of_all_seatings() -> None:
    dice = random.Random(5)
    who = people(8)
    for _ in range(5):
        history = {pair(one.id, other.id): dice.randint(1, 6) for one, other in combinations(who, 2)}
        best = min(
            sum(history[pair(*two)] for table in (four, rest) for two in combinations(table, 2))
            for four in combinations([one.id for one in who], 4)
            for rest in [[one.id for one in who if one.id not in four]]
        )
        found = tables_of(propose_seating(who, [4, 4], history, {}, 1))
        assert sum(history[pair(*two)] for table in found for two in combinations(table, 2)) == best


def test_nobody_sits_with_their_company_where_it_can_be_avoided() -> None:
    who = people(60, companies=10)
    for seed in range(3):
        assert same_company_pairs(who, propose_seating(who, [6] * 10, {}, {}, seed)) == 0
    half = people(8, companies=2)
    assert same_company_pairs(half, propose_seating(half, [4, 4], {}, {}, 1)) == 4  # two and two at each: the least


def test_a_company_weighs_more_than_any_number_of_past_meetings() -> None:
    one, other, third, fourth = who = people(4, companies=2)
    met = {pair(one.id, fourth.id): 50, pair(other.id, third.id): 50, pair(one.id, other.id): 50}
    assert same_company_pairs(who, propose_seating(who, [2, 2], met, {}, 2)) == 0


def test_a_guest_sits_with_who_brings_them_even_of_the_same_company() -> None:
    hosts = people(12)
    who = [*hosts]
    for host, count in zip(hosts, (3, 1, 1, 0, 2, 0, 0, 1, 0, 0, 0, 5), strict=True):
        who += [guest(host, number, host.company) for number in range(1, count + 1)]
    for seed in range(5):
        found = propose_seating(who, [7, 6, 6, 6], {}, {}, seed)
        assert not found.unseated
        assert all(found.table_of[one.id] == found.table_of[one.host_id] for one in who if one.is_guest)


def test_guests_of_somebody_locked_join_their_table() -> None:
    hosts = people(9)
    who = [*hosts, guest(hosts[0], 1), guest(hosts[0], 2)]
    found = propose_seating(who, [4, 4, 4], {}, {hosts[0].id: 2}, 3)
    assert {found.table_of[one.id] for one in who if one.host_id or one is hosts[0]} == {2}


def test_a_party_larger_than_any_table_is_seated_all_the_same() -> None:
    host = people(1)[0]
    who = [host, *(guest(host, number) for number in range(1, 6)), *people(9)[1:]]
    found = propose_seating(who, [4, 4, 4, 4], {}, {}, 1)
    assert (len(found.table_of), found.unseated) == (14, ())
    assert max(Counter(found.table_of.values()).values()) <= 4
    assert Counter(found.table_of[one.id] for one in who[:6])[found.table_of[host.id]] == 4


def test_speakers_sit_at_different_tables() -> None:
    who = people(24)
    speakers = [one.id for one in who[:3]]
    for order in permutations(speakers, 3):
        found = propose_seating(who, [8, 8, 8], {}, {}, 4, speakers=order)
        assert len({found.table_of[one] for one in speakers}) == 3


def test_domains_are_mixed_where_nothing_else_decides() -> None:
    who = [Person(f"m{number:02}", "", "", f"Domaine {number % 4}") for number in range(16)]
    found = propose_seating(who, [4, 4, 4, 4], {}, {}, 6)
    domain = {one.id: one.domain for one in who}
    assert [len({domain[one] for one in table}) for table in tables_of(found)] == [4, 4, 4, 4]


def test_empty_seats_are_spread_over_the_tables() -> None:
    found = propose_seating(people(20), [8, 8, 8, 8], {}, {}, 1)
    assert sorted(Counter(found.table_of.values()).values()) == [5, 5, 5, 5]


def test_the_same_seed_gives_the_same_seating_and_another_seed_another() -> None:
    who, history = people(40, companies=20), {pair("m00", "m01"): 3}
    first = propose_seating(who, [8] * 5, history, {}, 1)
    assert propose_seating(who, [8] * 5, history, {}, 1) == first
    assert propose_seating(who, [8] * 5, history, {}, 2) != first


def test_who_is_locked_stays_even_beyond_the_seats() -> None:
    who = people(9, companies=3)
    locked = {"m00": 0, "m03": 0, "m06": 0}
    found = propose_seating(who, [2, 4, 4], {}, locked, 1)
    assert {person: found.table_of[person] for person in locked} == locked
    assert Counter(found.table_of.values())[0] == 3


def test_where_seats_are_too_few_whole_parties_stay_out() -> None:
    hosts = people(4)
    who = [hosts[0], hosts[1], guest(hosts[1]), hosts[2], guest(hosts[2]), hosts[3]]
    found = propose_seating(who, [2, 2], {}, {}, 1)
    assert found.unseated == (hosts[2].id, f"{hosts[2].id}-1")
    assert len(found.table_of) == 4


@pytest.mark.parametrize(("count", "tables"), [(0, [8]), (0, []), (3, []), (1, [1]), (5, [8])])
def test_nobody_and_nowhere_are_no_trouble(count: int, tables: list[int]) -> None:
    found = propose_seating(people(count), tables, {}, {}, 1)
    assert len(found.table_of) + len(found.unseated) == count
