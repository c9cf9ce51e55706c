"""Guests and lunch in words."""

from typing import NamedTuple


class PartyWording(NamedTuple):
    """How a sentence tells guests and lunch: `guests` stands around their number, and `lunch_first` before or after."""

    guests: str
    lunch: str
    no_lunch: str
    lunch_first: bool = False


IN_LIST = PartyWording("{}", "avec déjeuner", "sans déjeuner")
IN_CONFIRMATION = PartyWording("avec {}", "avec déjeuner", "sans déjeuner", lunch_first=True)
IN_REMINDER = PartyWording("avec {}", "et vous déjeunez avec nous", "sans le déjeuner")


def format_party(guest_count: int, with_lunch: bool | None, wording: PartyWording = IN_LIST) -> str:
    """'2 invités, avec déjeuner': what someone adds to a "Yes"; empty without guests and without a choice of lunch."""
    guests = wording.guests.format(f"{guest_count} {'invités' if guest_count > 1 else 'invité'}") if guest_count else ""
    lunch = {True: wording.lunch, False: wording.no_lunch, None: ""}[with_lunch]
    parts = (lunch, guests) if wording.lunch_first else (guests, lunch)
    return ", ".join(part for part in parts if part)
