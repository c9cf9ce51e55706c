"""French grammar that depends on a name or a number."""

import re
from datetime import timedelta

_CONTRACTED = re.compile(r"(du|des|de|de la) |(de l|d)['’]", re.IGNORECASE)
_PLURAL = ("hauts", "pays", "alpes", "ardennes", "landes", "vosges", "yvelines", "côtes", "bouches", "deux", "flandres")
_VOWELS = "aeiouyhàâéèêëîïôûœæ"
_ELIDED = re.compile(rf"(?!y[{_VOWELS}])[{_VOWELS}]", re.IGNORECASE)


def of_place(name: str) -> str:
    """'du Nord', 'des Hauts-de-France', 'de Bretagne', "d’Occitanie"; a name that begins with 'de' stays as it is."""
    first = re.split(r"[\s-]", name.strip().lower(), maxsplit=1)[0]
    if _CONTRACTED.match(name):
        return name
    if first in _PLURAL:
        return f"des {name}"
    if first[:1] in _VOWELS and first:
        return f"d’{name}"
    return f"de {name}" if first.endswith("e") and first != "centre" else f"du {name}"


def of_person(name: str) -> str:
    """'de Marie Durand', "d'Augustin Leroy", "d'Hélène Vasseur"."""
    return f"d’{name}" if _ELIDED.match(name) else f"de {name}"


def count(number: int, noun: str) -> str:
    """'0 membre', '1 membre', '2 membres': 0 and 1 are singular in French (C6)."""
    return f"{number} {noun}{'s' if number > 1 else ''}"


def format_duration(duration: timedelta) -> str:
    """'24 heures', '30 jours', '12 mois', '2 ans'."""
    hours, days = duration // timedelta(hours=1), duration.days
    if hours <= 48:
        return f"{hours}\u00a0heure{'s' if hours > 1 else ''}"
    if days % 365:
        return f"{days}\u00a0jours"
    return "12\u00a0mois" if days == 365 else f"{days // 365}\u00a0ans"
