"""What to do when data were lost, changed or seen by somebody who may not, with the questions of the CNIL."""

from clubapp import clock
from clubapp.services.privacy.papers.parts import (
    BLANK,
    FactList,
    Heading,
    NewPage,
    Paper,
    Paragraph,
    Part,
    Points,
    SignatureBox,
    Table,
    or_blank,
)
from clubapp.settings import settings
from clubapp.text import phone_numbers

_STEPS = (
    "Noter l’heure de la découverte\u00a0: le délai de 72\u00a0heures part de là.",
    "Arrêter la fuite sans effacer les traces. Dans l’administration\u00a0: retirer un administrateur, fermer les "
    "sessions, mettre les envois en pause. Sur le serveur\u00a0: arrêter le site, changer la clé de signature "
    "(CLUB_SECRET_KEY), puis «\u00a0renew-links\u00a0».",
    "Garder une copie\u00a0: «\u00a0backup\u00a0», le journal des actes, le journal du serveur.",
    "Prévenir la présidence du club et l’hébergeur.",
    "Estimer le risque pour les personnes, avec les questions ci-dessous.",
)
_DECIDE = (
    ("Aucun risque pour les personnes", "Inscrire au registre des violations."),
    ("Un risque", "Inscrire, et notifier à la CNIL sous 72\u00a0heures\u00a0: notifications.cnil.fr."),
    ("Un risque élevé", "Inscrire, notifier à la CNIL, et prévenir chaque personne concernée, sans attendre."),
)


_NATURES = (
    "Perte de confidentialité (des données ont été vues)",
    "Perte d’intégrité (des données ont été changées)",
    "Perte de disponibilité (des données manquent)",
    "Origine\u00a0: équipement perdu ou volé",
    "Origine\u00a0: envoi ou publication par erreur",
    "Origine\u00a0: acte malveillant, de l’extérieur ou de l’intérieur",
)
_DATA = (
    "Nom, fonction, entreprise",
    "Coordonnées (adresse e-mail, téléphone)",
    "Photographies",
    "Réponses aux rencontres, présences",
    "Souhaits pour le repas (peuvent toucher à la santé ou aux convictions)",
    "Contenu de messages",
    "Accès au site (le site ne garde ni mot de passe, ni numéro de carte, ni pièce d’identité)",
)
_PEOPLE = (
    "Membres",
    "Invités des membres",
    "Intervenants, hôtes et traiteurs",
    "Administrateurs",
    "Visiteurs qui ont écrit au club ou demandé un lien de connexion",
)
_CONSEQUENCES = (
    "Sollicitations, hameçonnage",
    "Usurpation d’identité",
    "Atteinte à la réputation, révélation d’un régime ou d’une absence",
    "Perte de données pour les personnes",
)
_MEASURES_SINCE = (
    ("Après, pour y mettre fin", ""),
    ("Pour que cela ne se reproduise pas", ""),
    ("Personnes prévenues\u00a0: combien, quand, comment\u00a0? Sinon pourquoi\u00a0?", ""),
    ("Plainte déposée\u00a0? Où, quand\u00a0?", ""),
    ("Personnes d’un autre pays de l’Union européenne\u00a0?", ""),
)


def build_breach_procedure(members: int) -> Paper:
    """The procedure, with the form of the CNIL filled as far as the club knows; it has so many members."""
    chosen = settings()
    return Paper(
        "procedure-en-cas-de-violation-de-donnees",
        "Que faire en cas de violation de données",
        f"{chosen.name}, articles 33 et 34 du RGPD. À jour au {clock.plain_day(clock.now())}.",
        (
            *_first_hours(),
            NewPage(),
            *_questions(members),
            NewPage(),
            *_letter(),
            Heading("Registre des violations"),
            Paragraph("Chaque violation y est inscrite, notifiée ou non (article 33.5 du RGPD)."),
            Table(("Date", "Ce qui s’est passé", "Effets", "Mesures", "CNIL", "Personnes"), (("",) * 6,) * 8),
            SignatureBox(chosen.legal_director),
        ),
    )


def _first_hours() -> tuple[Part, ...]:
    chosen = settings()
    return (
        Paragraph(
            "Une violation, c’est une perte, une modification ou une divulgation de données, voulue ou non\u00a0: un "
            "fichier envoyé à la mauvaise personne, un compte détourné, un serveur volé, une base effacée sans "
            "sauvegarde."
        ),
        Heading("Les premières heures"),
        Points(_STEPS, to_tick=True),
        Heading("Qui décide, qui écrit"),
        FactList(
            (
                ("Décide et signe", chosen.legal_director.rstrip(".")),
                ("Tient le site", ""),
                (
                    "Hébergeur, et son numéro",
                    f"{chosen.legal_host.rstrip('.')}. Téléphone\u00a0: {_host_phone()}",
                ),
                ("Assurance, numéro de contrat", ""),
            )
        ),
        Heading("Décider"),
        Table(("Si la violation présente", "Alors"), _DECIDE),
    )


def describe_second_factor() -> str:
    """What this installation asks of its administrators."""
    is_required = settings().admin_second_factor == "required"
    return f"double vérification {'exigée des' if is_required else 'proposée aux'} administrateurs"


def _list_measures() -> str:
    backups = ", sauvegardes" if settings().backup_dir else ""
    return (
        f"Connexion par lien à usage unique, {describe_second_factor()}, chiffrement des échanges, journal des actes, "
        f"effacement à l’échéance{backups}."
    )


def _host_phone() -> str:
    return or_blank(phone_numbers.format_phone(settings().legal_host_phone))


def _questions(members: int) -> tuple[Part, ...]:
    chosen = settings()
    club = (
        ("Nom et adresse", chosen.legal_publisher.rstrip(".")),
        ("Numéro SIRET ou RNA", chosen.legal_siret or chosen.legal_rna),
        ("Contact", f"{chosen.legal_director.rstrip('.')}, {chosen.contact_email}"),
        ("Un sous-traitant est-il en cause\u00a0? Lequel\u00a0?", ""),
    )
    breach = (
        "Début et fin, date et heure",
        "Découverte, date et heure",
        "Comment l’avez-vous découverte\u00a0?",
        "Si plus de 72\u00a0heures ont passé, pourquoi\u00a0?",
        "Que s’est-il passé\u00a0?",
    )
    people = (
        ("Nombre de personnes concernées", f"{BLANK}, sur {members} fiches de membres"),
        ("Dont invités des membres", ""),
        ("Nombre d’enregistrements", ""),
    )
    first = "Ce sont celles du formulaire de notification. Une première notification peut être incomplète\u00a0: "
    return (
        Heading("Les questions de la CNIL"),
        Paragraph(f"{first}on la complète ensuite."),
        *(Heading("1. L’organisme"), FactList(club)),
        *(Heading("2. La violation"), FactList(tuple((question, "") for question in breach))),
        Points(_NATURES, to_tick=True),
        *(Heading("3. Les données et les personnes"), Points(_DATA, to_tick=True)),
        *(Points(_PEOPLE, to_tick=True), FactList(people)),
        *(Heading("4. Les conséquences"), Points(_CONSEQUENCES, to_tick=True)),
        FactList((("Gravité\u00a0: négligeable, limitée, importante ou maximale\u00a0? Pourquoi\u00a0?", ""),)),
        *(Heading("5. Les mesures"), FactList((("Avant la violation", _list_measures()), *_MEASURES_SINCE))),
    )


def _letter() -> tuple[Heading | Paragraph, ...]:
    chosen = settings()
    return (
        Heading("Lettre aux personnes, si le risque est élevé"),
        Paragraph(
            f"Madame, Monsieur, le {BLANK}, nous avons découvert que des données qui vous concernent ({BLANK}) ont été "
            f"{BLANK}. Voici ce que cela peut entraîner\u00a0: {BLANK}. Voici ce que nous avons fait\u00a0: {BLANK}. "
            f"Voici ce que nous vous conseillons\u00a0: {BLANK}. Pour toute question\u00a0: {chosen.contact_email}. "
            f"Nous vous prions de nous en excuser. {chosen.legal_director.rstrip('.')}, pour {chosen.name}."
        ),
    )
