"""What an administrator can do, each with the place where it is done and the words by which it is looked for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from clubapp import clock, routes
from clubapp.models import Event, EventStatus
from clubapp.services.events.stages import DAY_TAB, REVIEW_TAB
from clubapp.services.finder.records import SHORTCUT, Hit, Source
from clubapp.services.members import listing

NEW = "new"  # the button of a list that opens an empty form
POSTPONE = "postpone"  # the button of an event's page that opens its form at the date
_MEETINGS_AHEAD, _MEETINGS_BEFORE = 3, 3
_DOORS_BEFORE = timedelta(days=7)


@dataclass(frozen=True)
class _Entry:
    title: str
    href: str
    words: str = ""
    press: str = ""
    is_document: bool = False


_ALWAYS = (
    _Entry("Nouveau membre", routes.ADMIN, "ajouter créer adhérent personne inscrire", NEW),
    _Entry("Nouvel événement", routes.ADMIN_EVENTS, "ajouter créer rencontre réunion déjeuner", NEW),
    _Entry("Nouvelle entreprise", routes.ADMIN_COMPANIES, "ajouter créer société", NEW),
    _Entry("Écrire à tous les membres", routes.ADMIN_EMAILS, "nouveau message mail diffusion lettre"),
    _Entry(
        "Écrire à un choix de personnes",
        routes.ADMIN_WRITE,
        "nouveau message mail membres domaine pièces jointes fichier présents invités",
    ),
    _Entry("Aujourd’hui", routes.ADMIN_TODAY, "à faire jour accueil tableau de bord"),
    _Entry("Événements", routes.ADMIN_EVENTS, "calendrier agenda rencontres saison"),
    _Entry("Membres", routes.ADMIN, "liste annuaire adhérents"),
    _Entry(
        "Venus aux trois dernières rencontres",
        listing.CAME_LATELY_HREF,
        "qui est venu présents fidèles assidus membres 3 fois trois",
    ),
    _Entry("Entreprises", routes.ADMIN_COMPANIES, "liste sociétés"),
    _Entry("Emails", routes.ADMIN_EMAILS, "messages textes modèles templates signature"),
    _Entry("Paramètres des relances", routes.ADMIN_REMINDERS, "régler rappels automatiques jours invitations"),
    _Entry("Journal des envois", routes.ADMIN_MAIL_LOG, "messages envoyés historique"),
    _Entry("Messages en échec", f"{routes.ADMIN_MAIL_LOG}?etat=failed", "erreurs refusés adresses envois corriger"),
    _Entry("Envois à venir", routes.ADMIN_PLANNED, "prévus programmés demain part relances"),
    _Entry("Importer des membres", routes.IMPORT_MEMBERS, "fichier csv excel tableau"),
    _Entry("Importer des entreprises", routes.IMPORT_COMPANIES, "fichier csv excel tableau"),
    _Entry("Demandes sur les données", routes.ADMIN_REQUESTS, "rgpd accès effacement rectification copie"),
    _Entry("Administrateurs", routes.ADMIN_ADMINISTRATORS, "ajouter retirer droits accès"),
    _Entry("Santé", routes.ADMIN_HEALTH, "état du site pannes sauvegarde serveur vérifier"),
    _Entry("Journal des actes", routes.ADMIN_ACTS, "historique qui a fait quoi audit traces"),
    _Entry("Mes sessions", routes.ADMIN_SESSIONS, "double vérification clé d’accès appareils sécurité"),
)


def list_shortcuts(events: Sequence[Event]) -> Source:
    """What can always be done, then what can be done about the next of these events and about the last."""
    entries = (*_ALWAYS, *_about_meetings(events), *_about_past_meetings(events))
    return Source(SHORTCUT, [_hit(one) for one in entries], [(one.title, one.words) for one in entries])


def suggest_shortcuts() -> tuple[Hit, ...]:
    """What is offered before anything is typed."""
    return tuple(_hit(one) for one in _ALWAYS[:4])


def _hit(one: _Entry) -> Hit:
    return Hit(f"{SHORTCUT}-{one.href}-{one.title}", SHORTCUT, one.title, "", one.href, one.press, one.is_document)


def _about_meetings(events: Sequence[Event]) -> Iterator[_Entry]:
    now = clock.now()
    is_off = (EventStatus.CANCELLED, EventStatus.COMPLETED)
    coming = [event for event in events if event.date > now and event.status not in is_off]
    for event in sorted(coming, key=lambda each: each.date)[:_MEETINGS_AHEAD]:
        month, day = _of_month(event), _day(event)
        words = f"modifier déplacer changer date {event.title} {month}"
        yield _Entry(f"Reporter la rencontre du {day}", routes.admin_event(event.id), words, POSTPONE)
        if not event.invitation_sent:
            yield _Entry(
                f"Envoyer les invitations {month}", routes.admin_event(event.id), f"inviter {event.title} {day}"
            )
            continue
        words = f"relancer téléphoner silencieux sans réponse liste d’appels {event.title} {month}"
        yield _Entry(f"Appeler ceux qui n’ont rien dit pour le {day}", routes.calling_list(event.id), words)
        yield _Entry(f"Relancer pour le {day}", routes.ADMIN_PLANNED, f"rappel relances {event.title} {month}")
        attending = routes.write_to(evenement=event.id, reponse="oui")
        yield _Entry(f"Écrire à ceux qui viennent le {day}", attending, f"message mail présents {event.title} {month}")
        yield _Entry(f"Imprimer pour le {day}", routes.event_printing(event.id), f"badges émargement {event.title}")
        words = f"geler figer nombres repas déjeuners traiteur hôte couverts {event.title} {month}"
        yield _Entry(f"Envoyer les nombres du {day}", routes.event_tab(event.id, DAY_TAB), words)
        if event.has_lunch:
            yield _Entry(f"Placer à table le {day}", routes.event_tables(event.id), f"tables plan {event.title}")
        if event.date < now + _DOORS_BEFORE:
            words = f"arrivées pointage porte émargement {event.title}"
            yield _Entry(f"Accueillir le {day}", routes.arrivals(event.id), words, is_document=True)


def _about_past_meetings(events: Sequence[Event]) -> Iterator[_Entry]:
    now = clock.now()
    past = [event for event in events if event.date <= now and event.status != EventStatus.CANCELLED]
    for event in sorted(past, key=lambda each: each.date, reverse=True)[:_MEETINGS_BEFORE]:
        month, day = _of_month(event), _day(event)
        words = f"présents arrivés bilan exporter {event.title} {month}"
        yield _Entry(f"Qui est venu le {day}", routes.event_tab(event.id, REVIEW_TAB), words)
        words = f"merci écrire message mail {event.title} {month}"
        arrived = routes.write_to(evenement=event.id, reponse="venus")
        yield _Entry(f"Remercier ceux qui sont venus le {day}", arrived, words)


def _of_month(event: Event) -> str:
    """'de décembre', 'd’avril'."""
    name = clock.day_parts(event.date)[0]
    return f"d’{name}" if name[0] in "ao" else f"de {name}"


def _day(event: Event) -> str:
    """'10 décembre', without the year."""
    return clock.plain_day(event.date).rsplit(" ", 1)[0]
