"""The presentation of the club on the landing page."""

from dataclasses import dataclass
from urllib.parse import quote

from clubapp import clock
from clubapp.settings import ROOT, settings
from clubapp.text import french, phone_numbers, web_links

# Inlined in the page: a separate request would cost more and delay the first paint.
EMBLEM = "data:image/svg+xml," + quote((ROOT / "assets" / "emblem.svg").read_text().strip(), safe=" =:/,.()-")
JOIN_SUBJECT = "Demande d’adhésion"
LEAD = (
    "Un chef d’entreprise par métier, une rencontre par mois chez l’un d’entre nous, "
    "et des recommandations qui deviennent des contrats."
)
ABOUT_TITLE = "Un réseau d’experts, une personne qui les connaît tous"
ACTIVITIES_TITLE = "Une année au club"
RULE_TITLE = "Un métier, un membre"
RULE = (
    "Un nouveau membre ne peut exercer une activité en concurrence directe avec celle d’un membre déjà présent. "
    "Chacun recommande les autres sans arrière-pensée."
)
CONTACT_TITLE = "Il nous manque un métier\u00a0: le vôtre\u00a0?"
CONTACT_LEAD = (
    "Dites-nous ce que vous faites et où. Nous vous répondrons si la place est libre, "
    "et à quelle rencontre venir nous découvrir."
)


@dataclass(frozen=True)
class Point:
    """One item of a list on the page."""

    title: str
    text: str
    picture: str = ""


BENEFITS = (
    Point("Réseau B2B premium", "Des dirigeants choisis pour leur métier et pour leur parole."),
    Point("Réussites commerciales", "Des mises en relation suivies jusqu’à la signature."),
    Point("Innovation et IA", "Ce qui change nos métiers, essayé entre pairs avant d’être adopté."),
    Point("Entraide", "Un appel suffit\u00a0: quelqu’un est déjà passé par là."),
)
ACTIVITIES = (
    Point(
        "Rencontres mensuelles",
        "Chaque mois, une entreprise membre ouvre ses portes\u00a0: 30\u00a0entreprises par événement.",
        "/activity-meetings.svg",
    ),
    Point("Sessions de pitch", "Trois minutes, un besoin clair, des réponses le jour même.", "/activity-pitch.svg"),
    Point(
        "Ateliers de stratégie commerciale",
        "Un cas réel travaillé à plusieurs, jusqu’à la décision.",
        "/activity-workshops.svg",
    ),
    Point(
        "Networking qualifié",
        "On vous présente à celles et ceux qu’il vous faut rencontrer.",
        "/activity-networking.svg",
    ),
)


@dataclass(frozen=True)
class Presentation:
    """The texts about this club, from its settings."""

    name: str = ""
    headline: str = ""
    animated_by: str = ""
    animator_name: str = ""
    animator_text: str = ""
    companies: str = ""
    events: str = ""
    expertise: str = ""
    email: str = ""
    email_href: str = ""
    phone: str = ""
    phone_href: str = ""
    join_href: str = ""
    linkedin_url: str = ""
    copyright: str = ""


def build_presentation() -> Presentation:
    """Build the presentation from the settings."""
    chosen = settings()
    return Presentation(
        name=chosen.name,
        headline=f"Les experts {french.of_place(chosen.region)} qui font affaire ensemble",
        animated_by=f"Animé par {chosen.animator_name}",
        animator_name=chosen.animator_name,
        animator_text=(
            f"{chosen.animator_name} connaît chaque membre, son métier et ce qu’il recherche, "
            "et fait les présentations d’une rencontre à l’autre."
        ),
        companies=chosen.stat_companies,
        events=chosen.stat_events,
        expertise=chosen.stat_expertise,
        email=chosen.contact_email,
        email_href=web_links.mail_to(chosen.contact_email),
        phone=phone_numbers.format_phone(chosen.contact_phone).replace(" ", "\u00a0"),
        phone_href=phone_numbers.tel_link(chosen.contact_phone),
        join_href=web_links.mail_to(chosen.contact_email, JOIN_SUBJECT),
        linkedin_url=web_links.web_address(chosen.linkedin_url),
        copyright=f"© {chosen.copyright_year or clock.to_local(clock.now()).year} {chosen.name}",
    )
