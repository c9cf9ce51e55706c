"""Companies and members of the fictional club."""

import unicodedata
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from random import Random
from uuid import UUID

from sqlmodel import Session

from clubapp.models import DOMAINS, Company, Member
from clubapp.services.demo import portraits
from clubapp.services.demo.names import MEN, POSTAL_CODES, STREETS, SURNAMES, UNUSUAL, WOMEN
from clubapp.services.demo.trades import CLOSINGS, LONG_ROLE, ROLES, ROOTS, TRADES

# The mail domain of people without a company.
_OWN_MAIL = "courriel.example"
# Two of three have a portrait, among this many members at most, since drawing takes time.
_PHOTOGRAPHED = 60
_SIZES = ("1-9", "10-19", "20-49", "50-99", "100-249", "", "10-50")

Person = tuple[str, str, str]


def new_id(random: Random) -> str:
    """An identifier made from the seed."""
    return str(UUID(int=random.getrandbits(128), version=4))


def slugify(text: str) -> str:
    """'L'Hôtelier & Fils' as 'l-hotelier-fils', for addresses."""
    folded = unicodedata.normalize("NFKD", text.lower().replace("œ", "oe").replace("ł", "l"))
    words = "".join(letter if letter.isascii() and letter.isalnum() else " " for letter in folded if not _mark(letter))
    return "-".join(words.split())


def _mark(letter: str) -> bool:
    return unicodedata.combining(letter) > 0


def _landline(random: Random) -> str:
    """A landline number of the range that ARCEP reserves for fiction."""
    return f"03 53 01 {random.randrange(100):02d} {random.randrange(100):02d}"


def _mobile(random: Random) -> str:
    """A mobile number of the range that ARCEP reserves for fiction."""
    return f"06 39 98 {random.randrange(100):02d} {random.randrange(100):02d}"


def add_companies(session: Session, random: Random, count: int, today: datetime) -> list[Company]:
    """Add companies, spread over the seven domains."""
    made = [_company(random, number, today) for number in range(count)]
    session.add_all(made)
    session.flush()
    return made


def _company(random: Random, number: int, today: datetime) -> Company:
    domain = DOMAINS[number % len(DOMAINS)]
    trade = TRADES[domain]
    rank = number // len(DOMAINS)
    name, city, activity = trade.companies[rank % len(trade.companies)]
    if rank >= len(trade.companies):
        name = f"{name} {rank // len(trade.companies) + 1}"
    year = random.randint(1922, 2023)
    what = trade.activities[activity].format(name=name)
    return Company(
        id=new_id(random),
        name=name,
        activity_domain=domain,
        description=f"{what} {random.choice(ROOTS).format(city=city, year=year)}",
        address=f"{random.randint(1, 180)} {random.choice(STREETS)}",
        city=city,
        postal_code=POSTAL_CODES[city],
        phone="" if number % 9 == 4 else _landline(random),
        email="" if number % 13 == 6 else f"contact@{slugify(name)}.example",
        website="" if number % 6 == 5 else f"https://www.{slugify(name)}.example",
        founded_year=None if number % 8 == 3 else year,
        employee_count=random.choice(_SIZES),
        services=random.sample(trade.services, random.randint(2, 4)),
        certifications=random.sample(trade.certifications, number % 3),
        created_at=today - timedelta(days=30 + number * 11),
        updated_at=today,
    )


def add_members(
    session: Session, random: Random, count: int, companies: list[Company], today: datetime
) -> list[Member]:
    """Add members with distinct addresses; a few have no company, telephone or presentation."""
    taken: set[str] = set()
    people = _people(random)
    made = [_member(random, number, next(people), companies, taken=taken, today=today) for number in range(count)]
    session.add_all(made)
    session.flush()
    return made


def _people(random: Random) -> Iterator[Person]:
    """An endless series of first name, last name and gender; every full name once before any repeats."""
    yield from (("Marie", "Durand", "f"), ("Karim", "Lenoir", "m"), *UNUSUAL)
    everyone = [
        (first, last, gender) for firsts, gender in ((WOMEN, "f"), (MEN, "m")) for first in firsts for last in SURNAMES
    ]
    while True:
        random.shuffle(everyone)
        yield from everyone


def _member(
    random: Random, number: int, person: Person, companies: list[Company], *, taken: set[str], today: datetime
) -> Member:
    first, last, gender = person
    company = _employer(number, companies)
    domain = company.activity_domain if company else DOMAINS[number % len(DOMAINS)]
    trade, city = TRADES[domain], company.city if company else "Lille"
    closing = random.choice(CLOSINGS).format(city=city)
    slug = f"{slugify(first)}.{slugify(last)}"
    made = Member(
        id=new_id(random),
        name=f"{first} {last}",
        role=_role(random, number, gender),
        company=company.name if company else "",
        company_id=company.id if company else None,
        activity_domain="" if number % 29 == 23 else domain,
        description="" if number % 12 == 11 else f"{random.choice(trade.pitches)} {closing}",
        email=_address(slug, slugify(company.name) + ".example" if company else _OWN_MAIL, taken),
        phone="" if number % 7 == 5 else _telephone(random)(random),
        linkedin=f"https://www.linkedin.example/in/{slug.replace('.', '-')}" if number % 3 else "",
        website=company.website if company and number % 2 else "",
        expertise=[] if number % 10 == 9 else random.sample(trade.expertise, random.randint(1, 4)),
        services=[] if number % 8 == 7 else random.sample(trade.services, random.randint(1, 3)),
        created_at=today - timedelta(days=20 + number * 9),
        updated_at=today,
    )
    if number % 3 and number < _PHOTOGRAPHED:
        made.image_url = portraits.store_portrait(made.id, gender, made.created_at)
    return made


def _employer(number: int, companies: list[Company]) -> Company | None:
    """The company of a member, None for a few; the first companies have several members."""
    fixed = {0: "Pixel du Beffroi", 1: "Cabinet Moulin & Marée"}.get(number)
    if named := next((company for company in companies if company.name == fixed), None):
        return named
    if number % 15 == 8 or not companies:
        return None
    return companies[(number * 7) % len(companies)] if number % 4 else companies[number % min(5, len(companies))]


def _role(random: Random, number: int, gender: str) -> str:
    roles = LONG_ROLE if number % 31 == 17 else random.choice(ROLES)
    return roles[gender == "f"]


def _telephone(random: Random) -> Callable[[Random], str]:
    return random.choice((_mobile, _mobile, _landline))


def _address(slug: str, domain: str, taken: set[str]) -> str:
    made, number = f"{slug}@{domain}", 1
    while made in taken:
        number += 1
        made = f"{slug}{number}@{domain}"
    taken.add(made)
    return made
