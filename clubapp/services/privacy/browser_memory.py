"""Everything that is kept in a browser, each with what it is for and for how long (P6).

`tests/architecture/test_privacy_notice.py` reads the sources: what they keep is named here, and nothing else is.
"""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from clubapp.services.access import known_browsers, sessions
from clubapp.services.attendance import helper_link
from clubapp.settings import settings
from clubapp.text.french import format_duration

# As the scripts have them.
DRAFTS, DOOR_LISTS, DOOR_TOUCHES = timedelta(days=3), timedelta(days=2), timedelta(days=7)


class StoragePlace(StrEnum):
    """Where in a browser; as the notice calls it."""

    COOKIE = "Cookie"
    LOCAL = "Stockage local"
    TAB = "Stockage de l’onglet"
    DATABASE = "Base locale"
    CACHE = "Cache"
    WORKER = "Programme de fond"


@dataclass(frozen=True)
class KeptItem:
    """One thing kept under a name; a name that ends with ':' begins several. `text` says what for and how long.

    Items `of_framework` are kept by a library, not by this program's own code.
    """

    place: StoragePlace
    name: str
    text: str
    of_framework: bool = False


def list_kept_items() -> tuple[KeptItem, ...]:
    """All of it, with the names and durations of this installation."""
    return (*_cookies(), *_at_the_door(), *_beyond_the_tab(), *_of_the_tab())


def find_item(place: StoragePlace, name: str) -> KeptItem | None:
    """The item of a name, or of the beginning of one."""
    return next(
        (
            item
            for item in list_kept_items()
            if item.place == place and (item.name == name or (item.name.endswith(":") and name.startswith(item.name)))
        ),
        None,
    )


def describe_item(item: KeptItem) -> str:
    """'Cookie « session » : garde votre session ouverte, …'."""
    name = f"{item.name}…" if item.name.endswith(":") else item.name
    return f"{item.place} «\u00a0{name}\u00a0»\u00a0: {item.text}"


def _cookies() -> tuple[KeptItem, ...]:
    host, secure = ("__Host-", "__Secure-") if settings().uses_https else ("", "")
    return (
        KeptItem(
            StoragePlace.COOKIE,
            f"{host}session",
            f"garde votre session ouverte, {format_duration(sessions.LIFETIME)} au plus. Il n’est posé qu’à la "
            "connexion.",
        ),
        KeptItem(
            StoragePlace.COOKIE,
            f"{host}sign-in",
            "reconnaît le navigateur qui a demandé un code de connexion sans JavaScript, et garde l’adresse saisie, "
            f"{settings().sign_in_minutes}\u00a0minutes au plus.",
        ),
        KeptItem(
            StoragePlace.COOKIE,
            f"{host}browser",
            "reconnaît ce navigateur à votre prochaine connexion, pour vous prévenir d’une connexion depuis un autre, "
            f"{format_duration(known_browsers.LIFETIME)} au plus.",
        ),
        KeptItem(
            StoragePlace.COOKIE,
            f"{secure}accueil",
            "ouvre l’accueil d’un événement à qui en a reçu le lien d’aide, jusqu’à "
            f"{format_duration(helper_link.LASTS)} après sa fin.",
        ),
    )


def _at_the_door() -> tuple[KeptItem, ...]:
    return (
        KeptItem(
            StoragePlace.DATABASE,
            "accueil",
            f"pour qui tient l’accueil d’un événement, sa liste ({format_duration(DOOR_LISTS)} au plus) et les "
            f"arrivées qui n’ont pas encore pu être envoyées ({format_duration(DOOR_TOUCHES)} au plus), pour continuer "
            "sans réseau. La liste est effacée dès que le lien d’aide ne vaut plus.",
        ),
        KeptItem(
            StoragePlace.CACHE,
            "accueil:",
            "la page de cet accueil, pour la même raison et aussi longtemps.",
        ),
        KeptItem(
            StoragePlace.WORKER, "sw.js", "rouvre cette page sans réseau. Il ne sert que l’accueil de cet événement."
        ),
    )


def _beyond_the_tab() -> tuple[KeptItem, ...]:
    return (
        KeptItem(
            StoragePlace.LOCAL,
            "club-nonce",
            "reconnaît le navigateur qui a demandé un lien de connexion, jusqu’à la connexion suivante.",
        ),
        KeptItem(
            StoragePlace.LOCAL,
            "saisie:",
            f"ce que vous avez tapé dans un formulaire sans l’enregistrer, {format_duration(DRAFTS)} au plus, pour le "
            "reprendre. Effacé quand vous l’enregistrez, quand vous vous déconnectez, et quand une autre personne se "
            "connecte ici.",
        ),
        KeptItem(
            StoragePlace.LOCAL,
            "saisie-de",
            "un nombre tiré de votre adresse, qui sert à reconnaître cette autre personne. Remplacé à la connexion "
            "suivante.",
        ),
        KeptItem(
            StoragePlace.LOCAL,
            "said:",
            "ce que vous répondez à une invitation, tant que ce n’est pas parvenu au site. La page de l’invitation "
            "l’envoie quand vous la rouvrez, pendant une heure.",
        ),
        KeptItem(
            StoragePlace.LOCAL,
            "fonts",
            "les caractères du site ont déjà été chargés une fois. Sans limite, jusqu’à ce que vous l’effaciez.",
        ),
        KeptItem(
            StoragePlace.LOCAL,
            "theme",
            "l’apparence claire des pages. Sans limite, jusqu’à ce que vous l’effaciez.",
            of_framework=True,
        ),
    )


def _of_the_tab() -> tuple[KeptItem, ...]:
    return (
        KeptItem(
            StoragePlace.TAB,
            "club-address",
            "votre adresse, pour vous reconnecter quand votre session a expiré.",
        ),
        KeptItem(StoragePlace.TAB, "answer:", "le lien de votre invitation, pour que sa page se recharge."),
        KeptItem(StoragePlace.TAB, "typed:", "ce que vous y tapez, tant que ce n’est pas enregistré."),
        KeptItem(StoragePlace.TAB, "filtre:", "votre dernier choix dans une liste, pour y revenir."),
        KeptItem(
            StoragePlace.TAB,
            "club-recent",
            "pour qui administre le site, les cinq dernières fiches ou actions ouvertes par la recherche, pour y "
            "revenir.",
        ),
        KeptItem(
            StoragePlace.TAB,
            "toasts",
            "les numéros des derniers avis montrés, pour qu’aucun ne revienne au rechargement.",
        ),
        KeptItem(
            StoragePlace.TAB,
            "token",
            "un numéro tiré au hasard pour l’onglet, par lequel le site le reconnaît.",
            of_framework=True,
        ),
        KeptItem(
            StoragePlace.TAB,
            "react-router-scroll-positions",
            "l’endroit où vous étiez dans chaque page.",
            of_framework=True,
        ),
    )
