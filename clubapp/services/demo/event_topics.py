"""Texts of the fictional club's events: topics, places, speakers."""

from typing import NamedTuple

# One theme for each month of the year: title, description.
THEMES = (
    ("Les vœux du beffroi", "Le moment de se souhaiter une belle année et de présenter les nouveaux membres."),
    ("Vendre sans brader", "Atelier\u00a0: défendre sa marge face à un acheteur pressé, avec des mises en situation."),
    ("Visite d’usine\u00a0: du lin au fil", "Visite guidée de l’atelier, puis table ronde sur les savoir-faire d’ici."),
    (
        "Pitchs de printemps",
        "Douze membres, trois minutes chacun, et un seul objectif\u00a0: donner envie d’en savoir plus.",
    ),
    ("L’intelligence artificielle au bureau", "Démonstrations concrètes et garde-fous, à l’échelle d’une PME."),
    ("Recruter autrement", "Trois dirigeants racontent comment ils ont embauché quand personne ne répondait."),
    ("La rencontre d’été", "Le dernier rendez-vous avant les vacances, sans présentation projetée."),
    ("Rentrée des commerciaux", "Remettre en route ses équipes\u00a0: objectifs, tournées et bonne humeur."),
    ("Transmettre son entreprise", "Un notaire, une repreneuse et un cédant répondent à toutes les questions."),
    ("Cybersécurité\u00a0: le grand exercice", "Une panne simulée, une heure pour réagir, et les leçons à en tirer."),
    ("Achats responsables", "Acheter près de chez soi sans payer plus\u00a0: chiffres, erreurs et bonnes adresses."),
    (
        "Les réussites de l’année",
        "Les membres racontent les affaires nées du réseau cette année, et comment.",
    ),
)

OPEN_WORDS = (
    "Accueil dès 30 minutes avant le début, café et tartes au sucre. Merci de répondre par le lien de votre e-mail."
)

VENUES = (
    ("Lille", "Halle des Houblons, 14 quai de l’Écluse, 59000 Lille"),
    ("Valenciennes", "Maison des Drapiers, 3 place du Marché-aux-Toiles, 59300 Valenciennes"),
    ("Arras", "Salle des Carillonneurs, 8 rue des Carillonneurs, 62000 Arras"),
    ("Dunkerque", "Entrepôt des Deux-Caps, 21 avenue du Port-Fluvial, 59140 Dunkerque"),
    ("Roubaix", "Atelier Lin & Lumière, 40 rue de la Filature, 59100 Roubaix"),
    ("Béthune", "La Malterie du Beffroi, 5 rue de l’Ancienne-Malterie, 62400 Béthune"),
    ("Saint-Omer", None),
    ("Douai", "Cour des Dentellières, 2 allée des Dentellières, 59500 Douai"),
    ("Lens", "Fosse Quatorze bis, parc de la Briqueterie, 62300 Lens"),
)

BIOS = (
    "Vingt ans de terrain, deux reprises d’entreprise et toujours la même curiosité.",
    "Dix ans de bureau d’études, puis l’art de raconter\u00a0: tout s’explique sans se simplifier.",
    "A ouvert trois ateliers dans le Pas-de-Calais et formé plus de cent apprentis.",
    None,
)


class DemoSlot(NamedTuple):
    """One event: its month counted from now, its status, whether invitations went out."""

    months: int
    status: str
    sent: bool


# A club of N events uses the first N.
CALENDAR = (
    DemoSlot(-1, "completed", True),
    DemoSlot(1, "confirmed", True),
    DemoSlot(2, "confirmed", False),
    DemoSlot(3, "draft", False),
    DemoSlot(-2, "completed", True),
    DemoSlot(4, "cancelled", False),
    DemoSlot(-3, "completed", True),
    DemoSlot(6, "draft", False),
    DemoSlot(-3, "cancelled", True),
    DemoSlot(-4, "completed", True),
    DemoSlot(-5, "completed", True),
    DemoSlot(-6, "completed", True),
    DemoSlot(-7, "completed", True),
    DemoSlot(-8, "completed", True),
)
