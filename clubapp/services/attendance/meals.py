"""How many meals an event needs: what a caterer counts, members and their guests."""

from collections.abc import Iterable
from dataclasses import dataclass

from clubapp.services.attendance.people import Person
from clubapp.text import party


@dataclass(frozen=True)
class Meals:
    """The meals of an event: of members, and of guests."""

    members: int = 0
    guests: int = 0

    @property
    def total(self) -> int:
        """What the caterer is told."""
        return self.members + self.guests


def count_meals(people: Iterable[Person]) -> Meals:
    """Count the meals that were asked for: who came unexpected asked for none."""
    eating = [person.is_guest for person in people if person.eats]
    return Meals(members=eating.count(False), guests=eating.count(True))


def count_undecided(people: Iterable[Person]) -> int:
    """Count those who come and have not answered for lunch: they are no meals."""
    return sum(person.with_lunch is None and person.is_expected for person in people)


def describe_undecided(people: Iterable[Person]) -> str:
    """How many who come have not answered for lunch, in words; empty when everybody has."""
    return party.describe_undecided(count_undecided(people))
