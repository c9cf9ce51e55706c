"""The two legal pages (P4); durations and names are taken from the rules and settings in force."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time

from clubapp import clock
from clubapp.services.privacy.browser_memory import describe_item, list_kept_items
from clubapp.services.privacy.processing_register import LINKED, Purpose, list_purposes, list_services
from clubapp.settings import AFTER_CONSENT, AT_ONCE, settings
from clubapp.text import phone_numbers


@dataclass(frozen=True)
class Section:
    """A section: title, paragraphs, then a list."""

    title: str = ""
    paragraphs: tuple[str, ...] = ()
    points: tuple[str, ...] = ()


@dataclass(frozen=True)
class LegalPage:
    """A page of sections."""

    title: str = ""
    lead: str = ""
    sections: tuple[Section, ...] = ()


# The day on which the privacy notice was last changed, and a digest of it as the fictional club has it: a test asks for
# both whenever the text becomes another.
REVISED = date(2026, 11, 27)
DIGEST = "a73488597e793ec6"
LEGAL_TITLE = "Mentions légales"
PRIVACY_TITLE = "Confidentialité"


def build_legal_notice() -> LegalPage:
    """Who publishes the site and who hosts it (law of 21 June 2004, article 1-1)."""
    chosen = settings()
    contact = f"Adresse e-mail\u00a0: {chosen.contact_email}"
    phone = f"Téléphone\u00a0: {phone_numbers.format_phone(chosen.contact_phone)}"
    hosted_at = phone_numbers.format_phone(chosen.legal_host_phone)
    host_phone = (f"Téléphone\u00a0: {hosted_at}",) if hosted_at else ()
    return LegalPage(
        title=LEGAL_TITLE,
        lead=f"Qui publie le site du réseau {chosen.name}, et à qui s’adresser.",
        sections=(
            Section("Éditeur", (_sentence(chosen.legal_publisher),), (*_list_identifiers(), contact, phone)),
            Section("Direction de la publication", (_sentence(chosen.legal_director),)),
            Section("Hébergement", (_sentence(chosen.legal_host),), host_phone),
            _CONTENTS,
            Section("Signaler une erreur", (_REPORT.format(email=chosen.contact_email),)),
        ),
    )


def build_privacy_page() -> LegalPage:
    """What the program keeps on people, why, for how long, and what they may ask (RGPD, articles 13 and 14)."""
    chosen = settings()
    contact = {"email": chosen.contact_email}
    return LegalPage(
        title=PRIVACY_TITLE,
        lead="Ce que ce site conserve, pourquoi, combien de temps, et ce que vous pouvez demander. "
        f"Texte du {format_revision()}.",
        sections=(
            Section(
                "Qui est responsable",
                (_CONTROLLER.format(who=chosen.legal_publisher.rstrip("."), email=chosen.contact_email),),
            ),
            Section("L’essentiel", (), (_PUBLIC[chosen.publish], *_ESSENTIALS)),
            *(Section(each.title, (), _describe_purpose(each)) for each in list_purposes()),
            Section("Qui y a accès", _ACCESS, _describe_services()),
            Section("Dans votre navigateur", _IN_BROWSER, tuple(map(describe_item, list_kept_items()))),
            Section(
                "Ni mesure d’audience, ni pistage", (_NO_TRACKING, _LINKS.format(sites=", ".join(LINKED.values())))
            ),
            Section("Vos droits", tuple(text.format(**contact) for text in _RIGHTS)),
        ),
    )


def _list_identifiers() -> tuple[str, ...]:
    """The numbers by which the publisher is known to the administration."""
    siret = settings().legal_siret
    spaced = f"{siret[:3]} {siret[3:6]} {siret[6:9]} {siret[9:]}".replace(" ", "\u00a0")
    given = (("RNA", settings().legal_rna), ("SIRET", spaced if siret else ""))
    return tuple(f"{name}\u00a0: {number}" for name, number in given if number)


def format_revision() -> str:
    """The day of the last change of the text, as '23 novembre 2026'."""
    return clock.plain_day(datetime.combine(REVISED, time(12), UTC))


def _describe_purpose(purpose: Purpose) -> tuple[str, ...]:
    return (
        f"De qui\u00a0: {_lower(purpose.people)}",
        f"Quoi\u00a0: {_lower(purpose.data)}",
        f"Base légale\u00a0: {_lower(purpose.basis)}",
        f"Nécessaire ou non\u00a0: {_lower(purpose.required)}",
        f"Combien de temps\u00a0: {_lower(purpose.kept)}",
    )


def _describe_services() -> tuple[str, ...]:
    described = ((each.title, each.describe(settings())) for each in list_services())
    return tuple(f"{title}\u00a0: {text}" for title, text in described if text)


def _lower(text: str) -> str:
    """A sentence after a colon; an abbreviation keeps its capitals."""
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


def _sentence(text: str) -> str:
    return f"{text.strip().rstrip('.')}."


_REPORT = (
    "Une information inexacte, un contenu qui vous porte tort, une faille de sécurité\u00a0: écrivez à {email}. "
    "Nous répondons, et nous corrigeons ou retirons ce qui doit l’être."
)
_CONTENTS = Section(
    "Contenus",
    (
        "Les textes, les photographies et les logos des fiches appartiennent aux membres et aux entreprises qu’ils "
        "présentent. Les illustrations ont été dessinées pour ce site. Les caractères Fraunces et Figtree sont publiés "
        "sous la licence SIL Open Font License.",
        "Les liens vers d’autres sites sont fournis par les membres\u00a0; leur contenu relève de qui les publie.",
    ),
)
_CONTROLLER = "{who}, est responsable des données traitées sur ce site. Pour toute question\u00a0: {email}."
_PUBLIC = {
    AT_ONCE: "Votre fiche est publique, avec ce que vous choisissez d’en montrer\u00a0: vous masquez votre e-mail, "
    "votre téléphone, votre photo ou toute la fiche d’une pression, quand vous voulez.",
    AFTER_CONSENT: "Votre fiche est publique. Si le club l’a créée depuis qu’il demande votre accord, votre e-mail, "
    "votre téléphone et votre photo ne le sont qu’une fois que vous avez dit oui. Vous les montrez ou les masquez "
    "d’une pression, quand vous voulez.",
}
_ESSENTIALS = (
    "Quand le club crée une fiche, un e-mail le dit aussitôt à la personne, avec un lien pour choisir ce qui en est "
    "montré.",
    "Rien n’est vendu, loué ni cédé. Aucune décision n’est prise automatiquement, et personne n’est profilé.",
    "Un accord donné se retire à tout moment, aussi simplement\u00a0: dans «\u00a0Mon profil\u00a0», par le lien du "
    "message de bienvenue, par celui de chaque envoi, ou en nous écrivant. Ce qui a été fait avant reste valable.",
)
_ACCESS = (
    "Les fiches de l’annuaire sont publiques\u00a0: tout le monde les lit, les moteurs de recherche aussi. Les "
    "membres connectés ont leur annuaire\u00a0: ce qui est public, et ce que chacun choisit de ne montrer qu’à eux. Le "
    "reste n’est lu que par les administrateurs du club. À une rencontre, qui tient l’accueil voit les noms, l’hôte "
    "reçoit ceux qui sont annoncés, et chaque participant lit les badges et le plan de table.",
    "Pour la technique, le club s’appuie sur les prestataires suivants. Le pays où chacun travaille, et ce qui protège "
    "vos données s’il est hors de l’Union européenne, vous sont dits sur demande.",
)
_IN_BROWSER = (
    "Ce qui suit est strictement nécessaire à ce que vous demandez au site\u00a0: aucun bandeau ne vous demande donc "
    "votre accord. Ce qui est dans le stockage de l’onglet est effacé quand il se ferme\u00a0; tout s’efface aussi "
    "dans les réglages du navigateur.",
)
_NO_TRACKING = (
    "Aucune page ne charge quoi que ce soit depuis un autre site\u00a0: ni publicité, ni statistiques, ni caractères, "
    "ni images. Les e-mails ne contiennent aucun pixel de suivi et leurs liens ne sont pas réécrits."
)
_LINKS = (
    "Les liens vers d’autres sites ne leur transmettent rien tant que vous ne les ouvrez pas\u00a0: {sites}, un réseau "
    "professionnel, le site d’un membre."
)
_RIGHTS = (
    "Vous pouvez demander l’accès aux données qui vous concernent, leur rectification, leur effacement, leur copie "
    "dans un format réutilisable, la limitation de leur usage, et vous y opposer\u00a0; retirer un accord\u00a0; et "
    "dire ce qu’elles deviendront après votre décès. C’est gratuit. Écrivez à {email}\u00a0: nous répondons dans le "
    "mois.",
    "Membre, vous faites l’essentiel vous-même\u00a0: corriger votre fiche et choisir ce qu’elle montre dans "
    "«\u00a0Mon profil\u00a0», télécharger tout ce que le club garde de vous et demander l’effacement dans «\u00a0Mes "
    "données\u00a0».",
    "Si la réponse ne vous convient pas, vous pouvez adresser une réclamation à la CNIL, 3 place de Fontenoy, TSA "
    "80715, 75334 Paris Cedex 07, www.cnil.fr.",
)
