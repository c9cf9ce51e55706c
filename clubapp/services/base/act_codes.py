"""The codes of acts, with their French words and what each is done to (T1)."""

from dataclasses import dataclass

PERSON, MEMBER, COMPANY, EVENT, RESERVATION, MAIL = "person", "member", "company", "event", "reservation", "mail"
BROADCAST, SESSION, CLUB = "broadcast", "session", ""
MEMBER_DELETED = "member.deleted"

SUBJECTS = {
    PERSON: "Personne",
    MEMBER: "Membre",
    COMPANY: "Entreprise",
    EVENT: "Événement",
    RESERVATION: "Réponse",
    MAIL: "E-mail",
    BROADCAST: "E-mail du club",
    SESSION: "Session",
}
ACCESS, RECORDS, EVENTS, MAILINGS, PRIVACY, SYSTEM = "access", "records", "events", "mailings", "privacy", "system"
GROUPS = {
    ACCESS: "Accès",
    RECORDS: "Fiches",
    EVENTS: "Événements et réponses",
    MAILINGS: "E-mails et réglages",
    PRIVACY: "Données et exports",
    SYSTEM: "Site et commandes",
}


@dataclass(frozen=True)
class ActKind:
    """What a code is: its words, its group in the filter, and the kind of record it is done to."""

    label: str
    group: str
    subject: str = CLUB


ACTS = {
    "sign_in": ActKind("Connexion", ACCESS, SESSION),
    "sign_in.renewed": ActKind("Session prolongée", ACCESS, SESSION),
    "sign_in.replayed": ActKind("Lien de connexion déjà utilisé, présenté à nouveau", ACCESS, PERSON),
    "sign_in.link_made": ActKind("Lien de connexion affiché par une commande", ACCESS, PERSON),
    "sign_in.links_voided": ActKind("Liens de connexion annulés", ACCESS, PERSON),
    "sign_out": ActKind("Déconnexion", ACCESS, SESSION),
    "sign_out.everywhere": ActKind("Déconnexion de toutes ses sessions", ACCESS),
    "session.ended": ActKind("Session fermée à distance", ACCESS, SESSION),
    "session.others_ended": ActKind("Autres sessions fermées", ACCESS),
    "session.replayed": ActKind("Ancien secret de session présenté à nouveau, session fermée", ACCESS, SESSION),
    "token.made": ActKind("Jeton d’accès créé", ACCESS, SESSION),
    "admin.add": ActKind("Administrateur ajouté", ACCESS, PERSON),
    "admin.remove": ActKind("Administrateur retiré", ACCESS, PERSON),
    "admin.start_page": ActKind("Page d’arrivée choisie", ACCESS, PERSON),
    "member.start_page": ActKind("Page d’arrivée choisie", ACCESS, MEMBER),
    "email.requested": ActKind("Changement d’adresse demandé", ACCESS, MEMBER),
    "email.cancelled": ActKind("Changement d’adresse annulé", ACCESS, MEMBER),
    "email.undone": ActKind("Ancienne adresse rétablie", ACCESS, MEMBER),
    "email.changed": ActKind("Adresse e-mail changée", ACCESS, MEMBER),
    "factor.add": ActKind("Moyen de double vérification ajouté", ACCESS, PERSON),
    "factor.remove": ActKind("Moyen de double vérification retiré", ACCESS, PERSON),
    "factor.reset": ActKind("Double vérification réinitialisée", ACCESS, PERSON),
    "factor.used": ActKind("Double vérification faite", ACCESS, PERSON),
    "recovery_codes.renewed": ActKind("Codes de secours refaits", ACCESS, PERSON),
    "recovery_codes.voided": ActKind("Codes de secours annulés", ACCESS, PERSON),
    "refusals": ActKind("Refus, en nombre", ACCESS),
    "member.created": ActKind("Membre créé", RECORDS, MEMBER),
    "member.updated": ActKind("Membre modifié", RECORDS, MEMBER),
    MEMBER_DELETED: ActKind("Membre supprimé et effacé", RECORDS, MEMBER),
    "member.kept": ActKind("Fiche inactive gardée", RECORDS, MEMBER),
    "member.address_corrected": ActKind("Adresse e-mail corrigée", RECORDS, MEMBER),
    "member.opted_out": ActKind("Désinscription des e-mails", RECORDS, MEMBER),
    "member.opted_in": ActKind("Réinscription aux e-mails", RECORDS, MEMBER),
    "profile.updated": ActKind("Profil modifié par le membre", RECORDS, MEMBER),
    "profile.visibility": ActKind("Visibilité changée par le membre", RECORDS, MEMBER),
    "photographs.asked": ActKind("Photos demandées aux membres", MAILINGS),
    "note.added": ActKind("Note écrite sur un membre", RECORDS, MEMBER),
    "note.deleted": ActKind("Note sur un membre supprimée", RECORDS, MEMBER),
    "competition.decided": ActKind("Décision sur une concurrence", RECORDS, MEMBER),
    "company.created": ActKind("Entreprise créée", RECORDS, COMPANY),
    "company.updated": ActKind("Entreprise modifiée", RECORDS, COMPANY),
    "company.deleted": ActKind("Entreprise supprimée", RECORDS, COMPANY),
    "file.sent": ActKind("Fichier envoyé", RECORDS),
    "members.imported": ActKind("Membres importés", RECORDS),
    "companies.imported": ActKind("Entreprises importées", RECORDS),
    "event.created": ActKind("Événement créé", EVENTS, EVENT),
    "event.updated": ActKind("Événement modifié", EVENTS, EVENT),
    "event.confirmed": ActKind("Événement annoncé", EVENTS, EVENT),
    "event.deleted": ActKind("Événement supprimé", EVENTS, EVENT),
    "event.templates_updated": ActKind("Textes de l’événement modifiés", EVENTS, EVENT),
    "invitations.sent": ActKind("Invitations envoyées", EVENTS, EVENT),
    "invitations.added": ActKind("Nouveaux membres invités", EVENTS, EVENT),
    "invitation.resent": ActKind("Invitation renvoyée", EVENTS, EVENT),
    "notices.sent": ActKind("Avis de changement envoyés", EVENTS, EVENT),
    "answer.recorded": ActKind("Réponse notée pour un membre", EVENTS, RESERVATION),
    "answer.taken_back": ActKind("Réponse annulée", EVENTS, RESERVATION),
    "call.unanswered": ActKind("Appel resté sans réponse noté", EVENTS, MEMBER),
    "call.taken_back": ActKind("Appel sans réponse annulé", EVENTS, MEMBER),
    "numbers.sent": ActKind("Nombres envoyés au traiteur et à l’hôte", EVENTS, EVENT),
    "doors.closed": ActKind("Accueil clos", EVENTS, EVENT),
    "doors.reopened": ActKind("Accueil rouvert", EVENTS, EVENT),
    "arrival.corrected": ActKind("Venue notée à la main", EVENTS, EVENT),
    "guest.declined": ActKind("Invité qui s’est désisté", EVENTS, RESERVATION),
    "guest.opted_out": ActKind("Invité désinscrit des e-mails", PRIVACY, RESERVATION),
    "guest.opted_in": ActKind("Invité réinscrit aux e-mails", PRIVACY, RESERVATION),
    "guest.erased": ActKind("Invité effacé à sa demande", PRIVACY, RESERVATION),
    "waiting.moved": ActKind("Liste d’attente réordonnée", EVENTS, RESERVATION),
    "place.offered": ActKind("Place proposée", EVENTS, RESERVATION),
    "tables.changed": ActKind("Tables modifiées", EVENTS, EVENT),
    "seats.proposed": ActKind("Placement proposé", EVENTS, EVENT),
    "seat.moved": ActKind("Personne placée à une table", EVENTS, EVENT),
    "seat.locked": ActKind("Place à table fixée ou libérée", EVENTS, EVENT),
    "answer_links.renewed": ActKind("Liens de réponse refaits", EVENTS),
    "helper_link.made": ActKind("Lien d’aide à l’accueil créé", EVENTS, EVENT),
    "helper_link.withdrawn": ActKind("Lien d’aide à l’accueil retiré", EVENTS, EVENT),
    "reminders.updated": ActKind("Réglages des relances modifiés", MAILINGS),
    "signature.updated": ActKind("Signature modifiée", MAILINGS),
    "broadcast.saved": ActKind("E-mail du club enregistré", MAILINGS, BROADCAST),
    "broadcast.deleted": ActKind("Brouillon supprimé", MAILINGS, BROADCAST),
    "broadcast.sent": ActKind("E-mail du club envoyé", MAILINGS, BROADCAST),
    "broadcast.paused": ActKind("E-mail du club mis en pause", MAILINGS, BROADCAST),
    "broadcast.resumed": ActKind("E-mail du club repris", MAILINGS, BROADCAST),
    "broadcast.stopped": ActKind("E-mail du club arrêté", MAILINGS, BROADCAST),
    "test.sent": ActKind("E-mail de test envoyé", MAILINGS, MAIL),
    "mail.resent": ActKind("E-mail renvoyé", MAILINGS, MAIL),
    "mail.settled": ActKind("E-mail incertain tranché", MAILINGS, MAIL),
    "mail.paused": ActKind("Envois mis en pause", MAILINGS),
    "mail.resumed": ActKind("Envois repris", MAILINGS),
    "planned.sent_by_hand": ActKind("Envoi automatique lancé à la main", MAILINGS, EVENT),
    "planned.planned": ActKind("Envoi automatique rétabli", MAILINGS, EVENT),
    "planned.suspended": ActKind("Envoi automatique suspendu", MAILINGS, EVENT),
    "planned.done": ActKind("Envoi automatique parti", MAILINGS, EVENT),
    "planned.missed": ActKind("Envoi automatique manqué", MAILINGS, EVENT),
    "planned.dropped": ActKind("Envoi automatique abandonné", MAILINGS, EVENT),
    "erasure.asked": ActKind("Effacement demandé", PRIVACY, MEMBER),  # by earlier versions
    "rights.asked": ActKind("Demande sur ses données", PRIVACY, MEMBER),
    "rights.answered": ActKind("Demande sur ses données close", PRIVACY, MEMBER),
    "export": ActKind("Export téléchargé", PRIVACY),
    "export.own_data": ActKind("Copie de ses données téléchargée", PRIVACY, MEMBER),
    "export.requested_copy": ActKind("Copie demandée par un membre, téléchargée", PRIVACY, MEMBER),
    "alert": ActKind("Alerte de santé envoyée", SYSTEM),
    "backup": ActKind("Sauvegarde faite", SYSTEM),
    "restore": ActKind("Sauvegarde restaurée", SYSTEM),
    "command": ActKind("Commande lancée", SYSTEM),
}


def subject_kind_of(code: str) -> str:
    """The kind of record an act is done to; empty when it is done to none, or the code is unknown."""
    return ACTS[code].subject if code in ACTS else CLUB


def label_of(code: str) -> str:
    """The French words of a code; the code itself when another version wrote it."""
    return ACTS[code].label if code in ACTS else code
