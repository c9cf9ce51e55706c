"""The guests and the lunch of an answer, in French."""

from typing import NamedTuple


class PartyWording(NamedTuple):
    """How a sentence words guests and lunch. `guests` is a format around their number; `lunch_first` sets the order."""

    guests: str
    lunch: str
    no_lunch: str
    lunch_first: bool = False


IN_LIST = PartyWording("{}", "avec déjeuner", "sans déjeuner")
IN_CONFIRMATION = PartyWording("avec {}", "avec déjeuner", "sans déjeuner", lunch_first=True)
IN_REMINDER = PartyWording("avec {}", "et vous déjeunez avec nous", "sans le déjeuner")


def format_party(guest_count: int, with_lunch: bool | None, wording: PartyWording = IN_LIST) -> str:
    """'2 invités, avec déjeuner', to follow a yes; empty without guests and without a choice of lunch (None)."""
    guests = wording.guests.format(f"{guest_count} {'invités' if guest_count > 1 else 'invité'}") if guest_count else ""
    lunch = {True: wording.lunch, False: wording.no_lunch, None: ""}[with_lunch]
    parts = (lunch, guests) if wording.lunch_first else (guests, lunch)
    return ", ".join(part for part in parts if part)


def describe_undecided(count: int) -> str:
    """'2 personnes attendues n’ont pas encore répondu pour le déjeuner'; empty for none."""
    if not count:
        return ""
    who = f"{count} personnes attendues n’ont" if count > 1 else "1 personne attendue n’a"
    return f"{who} pas encore répondu pour le déjeuner"
