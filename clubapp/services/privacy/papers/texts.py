"""The four papers: register of processing, list of processors, procedure for a breach, permission for photographs."""

from sqlmodel import Session, func, select

from clubapp import clock
from clubapp.models import Member
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.privacy.papers.breach import build_breach_procedure, describe_second_factor
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
from clubapp.services.privacy.processing_register import Purpose, list_purposes, list_services
from clubapp.settings import settings
from clubapp.text import phone_numbers

_LASTING_MEASURES = (
    "Échanges chiffrés (HTTPS)\u00a0; aucun secret lisible dans la base\u00a0; droits vérifiés à chaque action.",
    "Journal des actes qui ne peut être changé sans que cela se voie\u00a0; preuve récente demandée avant un export ou "
    "un acte durable.",
)

_TO_CHECK = (
    "Le contrat porte les clauses de l’article 28 du RGPD.",
    "Les données restent dans l’Union européenne, ou le transfert est encadré (décision d’adéquation, clauses types).",
    "Une violation de données nous est signalée sans attendre, à une adresse que nous lisons.",
    "À la fin du contrat, les données sont rendues ou détruites.",
)


def make_papers(session: Session, actor: Actor) -> tuple[Paper, ...]:
    """The papers of this club, filled as far as its settings know.

    Raises:
        Forbidden: for anyone but an administrator.
    """
    require_admin(actor)
    members = session.exec(select(func.count()).select_from(Member)).one()
    return (_register(), _processors(), build_breach_procedure(members), _photographs())


def _controller() -> FactList:
    chosen = settings()
    return FactList(
        (
            ("Responsable du traitement", chosen.legal_publisher.rstrip(".")),
            ("Représenté par", chosen.legal_director.rstrip(".")),
            ("Numéro RNA", chosen.legal_rna),
            ("Numéro SIRET", chosen.legal_siret),
            ("Adresse e-mail", chosen.contact_email),
            ("Téléphone", phone_numbers.format_phone(chosen.contact_phone)),
            ("Site", chosen.public_url if chosen.is_public else ""),
            ("Délégué à la protection des données", "Non désigné (facultatif pour une association de cette taille)"),
        )
    )


def _register() -> Paper:
    purposes = list_purposes()
    summary = Table(
        ("N°", "Activité", "Personnes concernées"),
        tuple((str(number), each.title, each.people) for number, each in enumerate(purposes, 1)),
    )
    sheets = [part for number, each in enumerate(purposes, 1) for part in _activity(number, each)]
    return Paper(
        "registre-des-activites-de-traitement",
        "Registre des activités de traitement",
        f"{settings().name}, article 30 du règlement général sur la protection des données (RGPD), selon le modèle de "
        f"la CNIL. À jour au {clock.plain_day(clock.now())}.",
        (
            Heading("Responsable du traitement"),
            _controller(),
            Heading("Liste des activités"),
            Paragraph(
                "Les fiches qui suivent reprennent la notice que le site publie\u00a0: là où elles disent "
                "«\u00a0vous\u00a0», elles s’adressent à la personne concernée."
            ),
            summary,
            *sheets,
            *_common(),
            SignatureBox(settings().legal_director),
        ),
    )


def _activity(number: int, each: Purpose) -> tuple[Part, ...]:
    return (
        Heading(f"{number}. {each.title}"),
        FactList(
            (
                ("Finalité", f"{each.title}."),
                ("Personnes concernées", each.people),
                ("Données", each.data),
                ("Base légale", each.basis),
                ("Ce qui est exigé", each.required),
                ("Durée de conservation", each.kept),
            )
        ),
    )


def _common() -> tuple[Part, ...]:
    """What holds for every activity."""
    return (
        Heading("Destinataires"),
        Points(
            (
                "Le public, pour ce que chaque membre montre dans l’annuaire.",
                "Les administrateurs du site\u00a0; à une rencontre, qui en tient l’accueil.",
                "L’hôte d’une rencontre, pour les noms\u00a0; le traiteur, pour les nombres et les souhaits, sans les "
                "noms.",
                "Les sous-traitants, selon leur liste.",
            )
        ),
        Heading("Données sensibles"),
        Paragraph(
            "Aucune, sauf un souhait pour le repas, qui peut toucher à la santé ou aux convictions\u00a0: il est "
            "facultatif, repose sur le consentement, et s’efface peu après la rencontre."
        ),
        Heading("Mesures de sécurité"),
        Points(_list_measures()),
        Heading("Transferts hors de l’Union européenne"),
        Paragraph(
            "Le site n’en fait aucun de lui-même. Ce qui dépend des prestataires est dit dans la liste des "
            f"sous-traitants, avec le lieu de chacun. Transfert constaté\u00a0: {BLANK}."
        ),
    )


def _list_measures() -> tuple[str, ...]:
    backups = "sauvegardes lisibles du seul compte du site\u00a0; " if settings().backup_dir else ""
    return (
        "Connexion sans mot de passe, par un lien à usage unique\u00a0; session d’une heure\u00a0; "
        f"{describe_second_factor()}.",
        *_LASTING_MEASURES,
        f"Effacement automatique à l’échéance\u00a0; {backups}mises à jour suivies.",
    )


def _processors() -> Paper:
    found = [(one.title, one.describe(settings())) for one in list_services() if not one.is_own(settings())]
    rows = tuple((title, told[:1].upper() + told[1:], BLANK, BLANK) for title, told in found if told)
    return Paper(
        "liste-des-sous-traitants",
        "Liste des sous-traitants",
        f"{settings().name}, article 28 du RGPD. À jour au {clock.plain_day(clock.now())}.",
        (
            Heading("Responsable du traitement"),
            _controller(),
            Heading("Sous-traitants"),
            Paragraph(
                "Chacun conserve ou achemine des données pour le compte du club, et ne s’en sert pour rien d’autre. Un "
                "contrat le dit par écrit\u00a0; les conditions générales d’un hébergeur en tiennent souvent lieu."
            ),
            Table(("Rôle", "Qui, et quelles données", "Lieu", "Contrat du"), rows),
            Heading("À vérifier pour chacun"),
            Points(_TO_CHECK, to_tick=True),
            Heading("Destinataires qui ne sont pas des sous-traitants"),
            Paragraph(
                "L’hôte d’une rencontre reçoit les noms de qui vient, le traiteur les nombres et les souhaits pour le "
                "repas, sans les noms\u00a0: chacun en répond lui-même. Le public lit ce que les membres montrent dans "
                "l’annuaire."
            ),
            SignatureBox(settings().legal_director),
        ),
    )


def _photographs() -> Paper:
    return Paper(
        "autorisation-de-photographie",
        "Autorisation de photographie",
        f"{settings().name}. Droit à l’image (article 9 du code civil) et RGPD (article 6.1.a).",
        (
            Heading("La personne photographiée"),
            FactList((("Nom et prénom", ""), ("Entreprise", ""), ("Adresse e-mail", ""))),
            *_permission(),
            Heading("Vos droits"),
            Paragraph(
                "Refuser ne change rien à votre participation. Vous pouvez retirer cette autorisation à tout moment, "
                f"sans donner de raison, en écrivant à {or_blank(settings().contact_email)}\u00a0: les photographies "
                "sont alors retirées du site sous un mois, sans effet sur ce qui a déjà été imprimé. Vous pouvez aussi "
                "demander à les voir, à les faire rectifier ou effacer, et adresser une réclamation à la CNIL, "
                "www.cnil.fr."
            ),
            SignatureBox("La personne photographiée, ou son représentant légal si elle est mineure"),
            NewPage(),
            Heading("Photographie de groupe"),
            Paragraph(
                "Pour une photographie de groupe, une ligne par personne vaut autorisation, pour les usages cochés "
                "ci-dessus."
            ),
            Table(("Nom et prénom", "Entreprise", "Date", "Signature"), (("", "", "", ""),) * 16),
        ),
    )


def _permission() -> tuple[Part, ...]:
    chosen = settings()
    network = (f"sur la page du club d’un réseau professionnel ({chosen.linkedin_url})",) if chosen.linkedin_url else ()
    uses = (
        "sur ma fiche de l’annuaire du site\u00a0;",
        f"sur les pages du site ({or_blank(chosen.public_url if chosen.is_public else '')})\u00a0;",
        *(f"{one}\u00a0;" for one in network),
        "dans les e-mails que le club envoie à ses membres\u00a0;",
        "dans la presse locale, pour rendre compte d’une rencontre.",
    )
    return (
        Heading("Ce que j’autorise"),
        Paragraph(
            f"J’autorise {or_blank(chosen.legal_publisher.rstrip('.'))}, à me photographier lors de la rencontre du "
            f"{BLANK}, à {BLANK}, et à utiliser ces photographies\u00a0:"
        ),
        Points(uses, to_tick=True),
        Paragraph(
            "Seul ce qui est coché est autorisé. L’autorisation est donnée à titre gratuit, pour trois ans à compter "
            "de ce jour, sans limite de territoire pour ce qui est publié sur internet. Les photographies ne sont ni "
            "vendues, ni cédées, ni détournées de leur sens."
        ),
    )
