"""What is done with data on people: purposes with their legal basis, and who else takes part (P6; RGPD, articles 13, 14
and 30).

One table, from which the notice is made. `tests/architecture/test_privacy_notice.py` compares it with the tables of the
database and with the settings: a new one without its entry fails there.
"""

from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from clubapp.services.access import email_change, known_browsers, sessions
from clubapp.services.privacy import retention
from clubapp.settings import AFTER_CONSENT, LOOPBACK, Settings, settings
from clubapp.text.french import format_duration

# Tables without data on people.
IMPERSONAL_TABLES = {
    "act_chain": "numéros et empreintes du journal",
    "email_reminder_settings": "textes et délais des relances",
    "event_tables": "nombre de places par table",
    "factor_challenges": "empreintes à usage unique",
    "planned_mailings": "dates des envois prévus",
}
# Other sites that pages link to, by their address.
LINKED = {
    "www.openstreetmap.org": "une carte",
    "calendar.google.com": "l’agenda de Google",
    "outlook.live.com": "celui de Microsoft",
    "outlook.office.com": "celui de Microsoft pour les entreprises",
    "calendar.yahoo.com": "celui de Yahoo",
}


@dataclass(frozen=True)
class Purpose:
    """Why data are kept: of whom, which, on what legal basis, what is required of the person, for how long."""

    title: str
    people: str
    data: str
    basis: str
    required: str
    kept: str
    tables: tuple[str, ...]


@dataclass(frozen=True)
class OutsideService:
    """Somebody else who takes part, as `settings` name them. `describe` says who and with what; empty if not used.

    What `is_own` runs in the club's own network: it is told, and is no processor.
    """

    title: str
    settings: tuple[str, ...]
    describe: Callable[[Settings], str]
    is_own: Callable[[Settings], bool] = lambda _: False


# Settings that hold an address or a place, and through which no data on people leave the program.
OWN_SETTINGS = (
    "public_url",
    "host",
    "data_dir",
    "linkedin_url",
    "trusted_proxies",
    "metrics_token",
    "legal_host_phone",
)


def list_purposes() -> tuple[Purpose, ...]:
    """Every purpose, with the durations and choices of this installation."""
    return tuple(purpose() for purpose in _PURPOSES)


def list_services() -> tuple[OutsideService, ...]:
    """Everyone who may take part; `describe` is empty for who does not here."""
    return (
        OutsideService("Hébergeur", ("legal_host",), lambda chosen: _sentence(chosen.legal_host)),
        OutsideService("Serveur d’envoi", ("smtp_url",), _describe_relay, _is_near("smtp_url")),
        OutsideService("Base de données", ("database_url",), _describe_database, _is_near("database_url")),
        OutsideService("Pages ouvertes", ("redis_url",), _describe_open_pages),
        OutsideService(
            "Photos et logos",
            (
                "media_url", "aws_access_key_id", "aws_secret_access_key", "aws_session_token", "aws_region",
                "aws_endpoint_url",
            ),
            _describe_pictures,
        ),
        OutsideService("Sauvegardes", ("backup_dir",), _describe_backups, lambda _: True),
        OutsideService("Rapports d’erreur", ("sentry_dsn",), _describe_error_reports),
        OutsideService("Autres prestataires", ("legal_processors",), lambda chosen: _sentence(chosen.legal_processors)),
    )  # fmt: skip


def _describe_relay(chosen: Settings) -> str:
    place = _name_place(chosen.smtp_url)
    return f"achemine les e-mails{place}\u00a0: adresse du destinataire et contenu." if chosen.smtp_url else ""


def _describe_database(chosen: Settings) -> str:
    if chosen.uses_sqlite:
        return ""
    return f"garde toutes les données{_name_place(chosen.database_url)}."


def _describe_open_pages(chosen: Settings) -> str:
    place = _name_place(chosen.redis_url)
    return f"ce qu’elles montrent est gardé une heure au plus dans une mémoire commune{place}." if place else ""


def _describe_pictures(chosen: Settings) -> str:
    if not chosen.media_url.startswith("s3://"):
        return ""
    endpoint = chosen.aws_endpoint_url
    place = _name_place(endpoint) if endpoint else " d’Amazon (S3)"
    region = f", région {chosen.aws_region}" if place and chosen.aws_region else ""
    return f"gardés dans un service de stockage{place}{region}."


def _describe_backups(chosen: Settings) -> str:
    if chosen.backup_dir is None:
        return ""
    days = chosen.backup_keep
    return (
        f"copie de tout le site chaque nuit, les {days}\u00a0dernières gardées\u00a0: ce qui est effacé du site l’est "
        f"de ces sauvegardes au bout de {days}\u00a0jours. Une copie gardée plus longtemps, avant une mise à "
        "jour ou ailleurs, ne sert qu’après une panne, et qui a été effacé le reste alors."
    )


def _describe_error_reports(chosen: Settings) -> str:
    if not chosen.sentry_dsn:
        return ""
    return (
        f"les erreurs du programme partent vers un service de suivi{_name_place(chosen.sentry_dsn)}, sans nom, "
        "adresse, téléphone ni contenu."
    )


def _name_place(address: str) -> str:
    """' (relais.example)' for the public name of another machine; empty for one of the installation's own network."""
    host = urlsplit(address).hostname or ""
    try:
        is_public = ip_address(host).is_global
    except ValueError:
        is_public = "." in host and host not in LOOPBACK
    return f" ({host})" if is_public else ""


def _is_near(setting: str) -> Callable[[Settings], bool]:
    """Whether the address of a setting is of the installation's own network."""
    return lambda chosen: not _name_place(getattr(chosen, setting))


def _sentence(text: str) -> str:
    return f"{text.strip().rstrip('.')}." if text.strip() else ""


def _present_members() -> Purpose:
    contacts = (
        "votre consentement pour l’e-mail, le téléphone et la photo d’une fiche que le club a créée depuis qu’il le "
        "demande (article 6.1.a)\u00a0; pour ceux des fiches d’avant, l’intérêt légitime du club à rendre ses membres "
        "joignables (article 6.1.f)"
        if settings().publish == AFTER_CONSENT
        else "l’intérêt légitime du club à rendre ses membres joignables pour l’e-mail, le téléphone et la photo, que "
        "vous pouvez masquer à tout moment (article 6.1.f)"
    )
    return Purpose(
        "Présenter les membres et leurs entreprises",
        "Les membres.",
        "Nom, fonction, entreprise, domaine d’activité, présentation, domaines d’expertise, services, photo, "
        "adresse e-mail, téléphone, liens\u00a0; la fiche de l’entreprise\u00a0; qui a créé la fiche, et chaque "
        "choix de ce qui est montré à tous ou aux seuls membres connectés, avec sa date et les mots qui ont été lus. "
        "Données par le membre, ou saisies par le club, qui l’en informe par e-mail.",
        f"L’adhésion au réseau (RGPD, article 6.1.b) pour la fiche\u00a0; {contacts}.",
        "Le nom est nécessaire, l’adresse e-mail aussi pour se connecter et être invité. Tout le reste est facultatif.",
        "Jusqu’à ce que vous quittiez le réseau, ou que vous en demandiez l’effacement. La fiche d’un membre inactif "
        f"depuis {settings().review_years}\u00a0ans est revue.",
        ("members", "companies", "publication_choices"),
    )


def _one_member_a_trade() -> Purpose:
    return Purpose(
        "Un membre par métier",
        "Les membres.",
        "Les métiers proches de deux membres, la décision de l’animation et son motif\u00a0; les notes que les "
        "administrateurs prennent sur un membre. Vous les trouvez dans la copie de vos données.",
        "L’intérêt légitime du club à tenir sa règle et à suivre ses membres (article 6.1.f).",
        "Rien ne vous est demandé.",
        "Décisions et notes\u00a0: tant que la fiche existe, effacées avec elle.",
        ("competition_decisions", "competition_tasks", "member_notes"),
    )


def _sign_in() -> Purpose:
    return Purpose(
        "Se connecter",
        "Les membres et les administrateurs\u00a0; qui demande un lien de connexion.",
        "Adresse e-mail, dates, nom du navigateur, navigateurs déjà connus, changements d’adresse\u00a0; si vous "
        "en ajoutez, vos moyens de double vérification et vos codes de secours, dont aucun secret n’est lisible, "
        "et les essais manqués\u00a0; la page où vous choisissez d’arriver, et quand un administrateur a regardé sa "
        "page du jour pour la dernière fois. L’adresse du réseau (IP) n’est gardée que sous une forme qui ne permet "
        "pas de la retrouver.",
        "L’adhésion au réseau, et l’intérêt légitime du club à protéger le site (articles 6.1.b et 6.1.f).",
        "L’adresse e-mail est nécessaire\u00a0; la double vérification est "
        + ("exigée des administrateurs." if settings().admin_second_factor == "required" else "facultative."),
        f"Demande de connexion, adresse inconnue comprise\u00a0: {format_duration(retention.LINKS)}. Changement "
        f"d’adresse\u00a0: {format_duration(email_change.UNDO)}. Session\u00a0: "
        f"{format_duration(sessions.LIFETIME)}, sa trace {format_duration(retention.SESSIONS)} de plus. Navigateur "
        f"connu\u00a0: {format_duration(known_browsers.LIFETIME)} sans connexion. Moyen de double "
        "vérification\u00a0: jusqu’à ce que vous le retiriez.",
        (
            "admins", "sign_in_links", "sessions", "email_changes", "factors", "factor_tries", "recovery_codes",
            "known_browsers",
        ),
    )  # fmt: skip


_TO_MEET = (
    " Le deuxième rappel nomme à qui vient trois membres au plus qui viennent aussi et qu’il n’a jamais rencontrés, "
    "d’après les rencontres passées."
)


def _meetings() -> Purpose:
    names = format_duration(retention.RESERVATION_NAMES)
    return Purpose(
        "Inviter aux rencontres et y accueillir",
        "Les membres\u00a0; les intervenants, l’hôte et le traiteur d’une rencontre.",
        "Qui a été invité, chaque réponse et par quel moyen, le nombre d’invités, les appels du club "
        "restés sans réponse, la liste d’attente, l’arrivée et son heure, la présence aux rencontres passées, la place "
        "à table, les nombres et les noms annoncés à l’hôte et au traiteur\u00a0; "
        "nom, entreprise, fonction et présentation des intervenants\u00a0; adresse "
        "e-mail de l’hôte et du traiteur. Les membres invités à une rencontre voient quels membres y viennent, parmi "
        "ceux de l’annuaire des membres et avec ce qu’il montre d’eux, et le nombre de toutes les personnes."
        + (_TO_MEET if settings().to_meet else ""),
        "L’adhésion au réseau (article 6.1.b)\u00a0; pour les autres, l’intérêt légitime du club à tenir ses "
        "rencontres (article 6.1.f).",
        "Répondre est facultatif\u00a0; sans réponse, aucune place n’est gardée.",
        f"Lien entre une réponse, une arrivée ou une place et votre nom\u00a0: {names} après la rencontre, ensuite "
        "il ne reste que des nombres. Ce qui a été touché à l’accueil\u00a0: "
        f"{format_duration(retention.TOUCHES)}. Appels restés sans réponse\u00a0: "
        f"{format_duration(retention.CALLS)}. Noms annoncés\u00a0: {format_duration(retention.MEAL_WISHES)}. "
        "Intervenants\u00a0: avec la rencontre.",
        (
            "events", "event_speakers", "event_reservations", "reservation_answers", "event_announcements",
            "arrivals", "arrival_touches", "call_attempts", "seats",
        ),
    )  # fmt: skip


def _guests() -> Purpose:
    names = format_duration(retention.RESERVATION_NAMES)
    return Purpose(
        "Recevoir les invités des membres",
        "Les invités.",
        "Nom, entreprise et adresse e-mail, si le membre choisit de les donner\u00a0: pour la liste des présents, "
        "le badge, la table et le repas, et pour un message du club après la rencontre, s’il ne le refuse pas. Qui a "
        "une adresse en est informé par e-mail, et peut, par le lien de ce message, se désister et faire "
        "effacer ses données.",
        "L’intérêt légitime du club à savoir qui il reçoit (article 6.1.f).",
        "Tout est facultatif\u00a0: un invité peut n’être que compté.",
        f"{names} après la rencontre, ou jusqu’à ce que l’invité en demande l’effacement, ou que le membre quitte "
        "le réseau.",
        ("event_guests",),
    )


def _meals() -> Purpose:
    return Purpose(
        "Préparer les repas",
        "Les membres et leurs invités.",
        "Le choix de déjeuner, et un souhait pour le repas, en quelques mots, si la personne veut le dire. Le traiteur "
        "n’en reçoit que les nombres et les souhaits, sans les noms.",
        "Votre consentement pour le souhait, qui peut toucher à la santé ou aux convictions (articles 6.1.a et "
        "9.2.a)\u00a0: vous le retirez en effaçant le texte.",
        "Facultatif.",
        f"Souhait\u00a0: {format_duration(retention.MEAL_WISHES)} après la rencontre.",
        ("event_reservations", "event_guests"),
    )


def _mails() -> Purpose:
    return Purpose(
        "Écrire aux membres",
        "Les membres, les invités et les administrateurs.",
        "Destinataire, objet de l’envoi, date, ce qu’en a dit le serveur d’envoi, désinscription et adresse qui "
        "refuse les messages\u00a0; messages écrits par le club et leurs pièces jointes, et nom et coordonnées de qui "
        "les signe. Aucun pixel de suivi\u00a0: l’ouverture n’est pas mesurée.",
        "L’adhésion au réseau (article 6.1.b). Chaque envoi à tous porte un lien de désinscription.",
        "Facultatif\u00a0: désinscrit, vous recevez encore ce qui concerne votre compte et les rencontres "
        "auxquelles vous avez répondu.",
        f"Destinataire, contenu et pièces jointes d’un e-mail\u00a0: {format_duration(retention.MAIL_CONTENT)}. "
        "Messages à tous et signature\u00a0: jusqu’à ce que le club les supprime.",
        ("mail_outbox", "broadcast_emails", "mail_attachments", "email_signature", "mail_pause"),
    )


def _administration() -> Purpose:
    return Purpose(
        "Administrer et protéger le site",
        "Les administrateurs, les membres\u00a0; qui appelle le site sans y avoir droit, en nombre seulement.",
        "Qui a fait quoi, à quelle fiche, quand, depuis quelle session, avec les valeurs d’avant et d’après\u00a0; "
        "qui a exporté des données. Le journal technique du serveur ne porte ni adresse e-mail entière ni adresse "
        "IP.",
        "L’intérêt légitime du club à savoir qui a changé quoi, et son obligation de protéger les données "
        "(articles 6.1.f et 6.1.c).",
        "L’enregistrement se fait sans intervention.",
        f"{settings().acts_months}\u00a0mois\u00a0; le nom et les valeurs d’un membre effacé, jusqu’à son effacement.",
        ("acts", "act_changes", "act_people", "audit_entries"),
    )


def _imports() -> Purpose:
    return Purpose(
        "Reprendre un fichier du club",
        "Les personnes d’un fichier qu’un administrateur envoie.",
        "Les lignes du fichier, entre l’aperçu et la confirmation.",
        "L’intérêt légitime du club à tenir ses fiches (article 6.1.f).",
        "Rien ne vous est demandé\u00a0; vous êtes informé par e-mail dès que votre fiche est créée.",
        f"{format_duration(retention.IMPORTS)} au plus.",
        ("pending_imports",),
    )


def _rights() -> Purpose:
    return Purpose(
        "Répondre à ce que vous demandez sur vos données",
        "Qui exerce un droit, membre ou non\u00a0; qui a été effacé.",
        "Nom, adresse e-mail, la demande et ses mots, son échéance, la réponse et qui l’a donnée\u00a0; de qui a été "
        "effacé, l’empreinte d’un numéro tiré au hasard, pour qu’aucune sauvegarde ne le fasse revenir.",
        "L’obligation légale de répondre et d’en rendre compte (article 6.1.c).",
        "Un nom, et un moyen de vous répondre.",
        f"{format_duration(retention.REQUESTS)} après la réponse. L’empreinte reste\u00a0: elle ne dit à personne de "
        "qui elle est.",
        ("rights_requests", "erased_people"),
    )


_PURPOSES = (
    _present_members,
    _one_member_a_trade,
    _sign_in,
    _meetings,
    _guests,
    _meals,
    _mails,
    _administration,
    _imports,
    _rights,
)
