"""The two legal pages (P4); durations and names are taken from the rules and settings in force."""

from dataclasses import dataclass
from datetime import timedelta

from clubapp.services.access import known_browsers, sessions
from clubapp.services.attendance import helper_link
from clubapp.services.privacy import retention
from clubapp.settings import settings
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


LEGAL_TITLE = "Mentions légales"
PRIVACY_TITLE = "Confidentialité"


def build_legal_notice() -> LegalPage:
    """Who publishes the site and who hosts it (law of 21 June 2004, article 1-1)."""
    chosen = settings()
    contact = f"Adresse e-mail\u00a0: {chosen.contact_email}"
    phone = f"Téléphone\u00a0: {phone_numbers.format_phone(chosen.contact_phone)}"
    return LegalPage(
        title=LEGAL_TITLE,
        lead=f"Qui publie le site du réseau {chosen.name}, et à qui s’adresser.",
        sections=(
            Section("Éditeur", (_sentence(chosen.legal_publisher),), (contact, phone)),
            Section("Direction de la publication", (_sentence(chosen.legal_director),)),
            Section("Hébergement", (_sentence(chosen.legal_host),)),
            _CONTENTS,
            Section("Signaler une erreur", (_REPORT.format(email=chosen.contact_email),)),
        ),
    )


def build_privacy_page() -> LegalPage:
    """What the program keeps on people, why, for how long, and what they may ask (RGPD, articles 13 and 14)."""
    chosen = settings()
    return LegalPage(
        title=PRIVACY_TITLE,
        lead="Ce que ce site conserve, pourquoi, combien de temps, et ce que vous pouvez demander.",
        sections=(
            Section(
                "Qui est responsable",
                (_CONTROLLER.format(who=chosen.legal_publisher.rstrip("."), email=chosen.contact_email),),
            ),
            _PURPOSES,
            _RECIPIENTS,
            Section("Combien de temps", (), _durations()),
            Section("Cookies et mémoire du navigateur", _COOKIES, _stored()),
            _VISITS,
            Section("Vos droits", tuple(text.format(email=chosen.contact_email) for text in _RIGHTS)),
        ),
    )


def format_duration(duration: timedelta) -> str:
    """'24 heures', '30 jours', '12 mois', '2 ans'."""
    hours, days = duration // timedelta(hours=1), duration.days
    if hours <= 48:
        return f"{hours}\u00a0heure{'s' if hours > 1 else ''}"
    if days % 365:
        return f"{days}\u00a0jours"
    return "12\u00a0mois" if days == 365 else f"{days // 365}\u00a0ans"


def _sentence(text: str) -> str:
    return f"{text.strip().rstrip('.')}."


def _durations() -> tuple[str, ...]:
    return (
        "Fiche de membre et fiche d’entreprise\u00a0: jusqu’à ce que vous quittiez le réseau, ou que vous en demandiez "
        "l’effacement.",
        f"Demande de connexion\u00a0: {format_duration(retention.LINKS)}. L’adresse du réseau d’où elle vient n’est "
        "gardée que sous une forme qui ne permet pas de la retrouver.",
        f"Session ouverte\u00a0: {format_duration(sessions.LIFETIME)}\u00a0; sa trace est effacée "
        f"{format_duration(retention.SESSIONS)} après sa fin.",
        f"Destinataire et contenu d’un e-mail envoyé\u00a0: {format_duration(retention.MAIL_CONTENT)}.",
        f"Lien entre une réponse et votre nom\u00a0: {format_duration(retention.RESERVATION_NAMES)} après l’événement. "
        "Il ne reste ensuite que des nombres.",
        f"Arrivée à un événement et place à table\u00a0: comme la réponse. Ce qui a été touché à l’accueil\u00a0: "
        f"{format_duration(retention.TOUCHES)} après l’événement.",
        f"Nom, entreprise et adresse d’un invité\u00a0: {format_duration(retention.RESERVATION_NAMES)} après "
        "l’événement, ou jusqu’à ce qu’il en demande l’effacement, ou que le membre quitte le réseau.",
        f"Souhait pour le repas\u00a0: {format_duration(retention.MEAL_WISHES)} après l’événement.",
        f"Journal des actes (qui, quoi, quand, depuis quelle session)\u00a0: {settings().acts_months}\u00a0mois.",
    )


def _stored() -> tuple[str, ...]:
    prefix = "__Host-" if settings().uses_https else ""
    cookie = f"{prefix}session"
    return (
        f"Cookie «\u00a0{cookie}\u00a0»\u00a0: garde votre session ouverte, {format_duration(sessions.LIFETIME)} au "
        "plus. Il n’est posé qu’à la connexion.",
        f"Cookie «\u00a0{prefix}sign-in\u00a0»\u00a0: reconnaît le navigateur qui a demandé un code de connexion sans "
        f"JavaScript, et garde l’adresse saisie, {settings().sign_in_minutes} minutes au plus.",
        f"Cookie «\u00a0{prefix}browser\u00a0»\u00a0: reconnaît ce navigateur à votre prochaine connexion, "
        f"{format_duration(known_browsers.LIFETIME)} au plus, pour vous prévenir d’une connexion depuis un autre.",
        f"Cookie «\u00a0{'__Secure-' if settings().uses_https else ''}accueil\u00a0»\u00a0: ouvre l’accueil d’un "
        f"événement à qui en a reçu le lien d’aide, jusqu’à {format_duration(helper_link.LASTS)} après sa fin.",
        "Base locale et cache «\u00a0accueil\u00a0»\u00a0: pour qui tient l’accueil d’un événement, la page, sa liste "
        "et les arrivées qui n’ont pas encore pu être envoyées, pour continuer sans réseau. La liste est effacée dès "
        "que le lien d’aide ne vaut plus, sinon à l’ouverture d’un autre accueil, après deux jours.",
        "Stockage local «\u00a0club-nonce\u00a0»\u00a0: reconnaît le navigateur qui a demandé un lien de connexion.",
        "Stockage de l’onglet «\u00a0club-address\u00a0»\u00a0: votre adresse, quand votre session a expiré, pour vous "
        "reconnecter\u00a0; effacé à la fermeture de l’onglet.",
        "Stockage de l’onglet «\u00a0answer\u00a0» et «\u00a0said\u00a0»\u00a0: le lien de votre invitation, et ce "
        "que vous y répondez tant que ce n’est pas parvenu au site\u00a0; effacés à la fermeture de l’onglet.",
        "Stockage de l’onglet «\u00a0filtre:/membres\u00a0»\u00a0: votre dernier choix dans la liste des membres, pour "
        "y revenir\u00a0; effacé à la fermeture de l’onglet.",
        "Stockage local «\u00a0saisie\u00a0»\u00a0: ce que vous avez tapé dans un formulaire sans l’enregistrer, "
        "trois jours au plus, pour que vous puissiez le reprendre. Effacé quand vous l’enregistrez, quand vous vous "
        "déconnectez, et quand une autre personne se connecte dans ce navigateur. «\u00a0saisie-de\u00a0»\u00a0: un "
        "nombre tiré de votre adresse, qui sert à la reconnaître.",
        "Stockage local «\u00a0theme\u00a0»\u00a0: l’apparence claire des pages.",
        "Stockage local «\u00a0fonts\u00a0»\u00a0: les caractères du site ont déjà été chargés une fois.",
        "Stockage de l’onglet «\u00a0token\u00a0» et «\u00a0react-router-scroll-positions\u00a0»\u00a0: un numéro tiré "
        "au hasard pour l’onglet, et l’endroit où vous étiez dans chaque page. Effacés quand l’onglet se ferme.",
    )


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
_PURPOSES = Section(
    "Ce que nous conservons, et pourquoi",
    (
        "Les fiches, les invitations et les réponses reposent sur l’adhésion de chaque membre au réseau\u00a0; "
        "la sécurité du site, sur l’intérêt légitime du club à le protéger.",
    ),
    (
        "L’annuaire public\u00a0: nom, fonction, entreprise, domaine d’activité, présentation, domaines d’expertise, "
        "services, photographie, adresse e-mail, téléphone et liens que le membre a choisi de donner.",
        "La connexion des membres et des administrateurs\u00a0: adresse e-mail, date, nom du navigateur\u00a0; si vous "
        "en ajoutez, vos moyens de double vérification, dont aucun secret n’est lisible.",
        "Les événements\u00a0: qui a été invité, sa réponse, son arrivée, son choix de déjeuner, le nombre de ses "
        "invités et sa place à table.",
        "Les invités d’un membre\u00a0: leur nom, leur entreprise et leur adresse e-mail, si le membre choisit de les "
        "donner, pour les accueillir (liste des présents, badge, table, repas)\u00a0; cela repose sur l’intérêt "
        "légitime du club à savoir qui il reçoit. Qui a une adresse en est informé par e-mail, et peut s’y désister et "
        "faire effacer ses données.",
        "Un souhait pour le repas, en quelques mots, de qui veut le dire\u00a0: compté pour le traiteur.",
        "Les e-mails envoyés par le club\u00a0: destinataire, objet de l’envoi, date, et s’il a été remis.",
        "L’administration du site\u00a0: qui a fait quoi, et quand.",
    ),
)
_RECIPIENTS = Section(
    "Qui y a accès",
    (
        "Les fiches de l’annuaire sont publiques. Le reste n’est lu que par les administrateurs du club, et, pour "
        "la technique, par son hébergeur et par le prestataire qui achemine ses e-mails.",
        "Rien n’est vendu, loué ni cédé. Aucune décision n’est prise automatiquement.",
    ),
)
_COOKIES = (
    "Ce qui suit est strictement nécessaire au fonctionnement du site\u00a0: aucun bandeau ne vous demande donc "
    "votre accord.",
)
_VISITS = Section(
    "Ni mesure d’audience, ni pistage",
    (
        "Aucune page ne charge quoi que ce soit depuis un autre site\u00a0: ni publicité, ni statistiques, ni "
        "caractères, ni images. Les e-mails ne contiennent aucun pixel de suivi et leurs liens ne sont pas réécrits.",
        "Les liens vers un réseau professionnel, un agenda en ligne ou le site d’un membre ne transmettent rien "
        "tant que vous ne les ouvrez pas.",
    ),
)
_RIGHTS = (
    "Vous pouvez demander l’accès aux données qui vous concernent, leur rectification, leur effacement, leur copie "
    "dans un format réutilisable, la limitation de leur usage, vous y opposer, et dire ce qu’elles deviendront après "
    "votre décès. Écrivez à {email}\u00a0: nous répondons dans le mois.",
    "Si la réponse ne vous convient pas, vous pouvez adresser une réclamation à la CNIL, 3 place de Fontenoy, "
    "TSA 80715, 75334 Paris Cedex 07, www.cnil.fr.",
)
