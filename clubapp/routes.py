"""The paths of all pages and endpoints, each written once (E1)."""

import base64
from typing import Any
from urllib.parse import quote, unquote
from uuid import UUID

HOME = "/"
DIRECTORY = "/membres"
MEMBER_PROFILE = "/membres/[member_id]"
COMPANY = "/entreprises/[company_id]"
SIGN_IN = "/connexion"
ADMIN_SIGN_IN = "/admin/login"
SECOND_STEP = "/connexion/verification"
CALLBACK = "/auth/callback"
ADMIN_CALLBACK = "/admin/callback"
ANSWER = "/event/[event_id]"
NOT_FOUND = "/404"
LEGAL = "/mentions-legales"
PRIVACY = "/confidentialite"
KIT = "/kit"

ADMIN = "/admin"
ADMIN_TODAY = "/admin/aujourdhui"
ADMIN_MEMBERS = "/admin/members"
ADMIN_MEMBER = "/admin/members/[member_id]"
ADMIN_COMPANIES = "/admin/companies"
ADMIN_COMPANY = "/admin/companies/[company_id]"
ADMIN_ADMINISTRATORS = "/admin/administrators"
IMPORT_MEMBERS = "/admin/import/membres"
IMPORT_COMPANIES = "/admin/import/entreprises"
ADMIN_EVENTS = "/admin/events"
ADMIN_EVENT = "/admin/events/[event_id]"
CALLING_LIST = "/admin/events/[event_id]/appels"
ADMIN_TABLES = "/admin/events/[event_id]/tables"
ADMIN_PRINTING = "/admin/events/[event_id]/imprimer"
ADMIN_EMAILS = "/admin/emails"
ADMIN_WRITE = "/admin/emails/ecrire"
ADMIN_REMINDERS = "/admin/email-settings"
ADMIN_MAIL_LOG = "/admin/envois"
ADMIN_PLANNED = "/admin/envois/a-venir"
ADMIN_HEALTH = "/admin/sante"
ADMIN_ACTS = "/admin/actes"
ADMIN_REQUESTS = "/admin/demandes"
PAPERS = "/admin/exports/papiers.zip"
ACTS_EXPORT = "/admin/exports/actes.csv"
PRESENCES_EXPORT = "/admin/exports/presences.csv"

MEMBER = "/member"
MEMBER_MEETINGS = "/member/rencontres"
MEMBER_DIRECTORY = "/member/annuaire"
MEMBER_COMPANY = "/member/company"
MEMBER_INVITATIONS = "/member/invitations"
MEMBER_SESSIONS = "/member/sessions"
MEMBER_DATA = "/member/data"
OWN_DATA_JSON = "/member/data.json"
OWN_DATA_CSV = "/member/data.csv"
ADMIN_SESSIONS = "/admin/sessions"
CONFIRM_EMAIL = "/auth/adresse"
ACCOUNT_LINK = "/auth/alerte"

UNSUBSCRIBE = "/desinscription"

HEALTH = "/health"
SOCKET = "/_event"  # of the framework
METRICS = "/metrics"
TRIAL_LINK = "/essai"
SEND_TEST = "/functions/send-test-email"
SEND_INVITATIONS = "/functions/send-event-invitations"
SEND_BROADCAST = "/functions/send-broadcast-email"
FUNCTIONS_DESCRIPTION = "/functions/openapi.json"
MAILBOX = "/boite-locale"
MEDIA = "/media"
IMAGES = "/images"
IMPORTS = "/imports"
ATTACHMENTS = "/attachments"
FEED = "/calendrier.ics"
SITEMAP = "/sitemap.xml"
ROBOTS = "/robots.txt"
SECURITY = "/.well-known/security.txt"
MANIFEST = "/site.webmanifest"
SHARED_CLUB = "/partage/club.png"
REDEEM = "/auth/redeem"
REDEEM_CODE = "/auth/code"
SIGN_OUT = "/auth/sign-out"
SIGN_OUT_EVERYWHERE = "/auth/sign-out-everywhere"
ACCESS_TOKEN = "/auth/token"  # noqa: S105 - an address
REFRESH = "/auth/refresh"
RENEW = "/auth/renew"
PASSKEY_OPTIONS = "/auth/passkey/options"
PASSKEY = "/auth/passkey"
FACTORS = "/factors"
RECOVERY_CODES = "/factors/recovery-codes"
KEY_SET = "/.well-known/jwks.json"


def member_profile(member_id: str) -> str:
    """The public page of a member."""
    return f"{DIRECTORY}/{member_id}"


def members_named(name: str) -> str:
    """The directory of members, searched for a name."""
    return f"{MEMBER_DIRECTORY}?q={quote(name)}"


def admin_member(member_id: str) -> str:
    """The page of a member for administrators."""
    return f"{ADMIN_MEMBERS}/{member_id}"


def admin_company(company_id: str) -> str:
    """The page of a company for administrators."""
    return f"{ADMIN_COMPANIES}/{company_id}"


def record_in(path: str, under: str) -> str:
    """The id in the address of a record's page, which stands below its list; empty elsewhere."""
    before, _, identifier = path.rstrip("/").rpartition("/")
    return unquote(identifier) if before == under else ""


def record_above(path: str, under: str) -> str:
    """The id in the address of a screen that stands below a record's page; empty elsewhere."""
    return record_in(path.rstrip("/").rpartition("/")[0], under)


def edit_member(member_id: str) -> str:
    """The page of a member, with its form open."""
    return f"{admin_member(member_id)}?modifier=oui"


def edit_company(company_id: str) -> str:
    """The page of a company, with its form open."""
    return f"{admin_company(company_id)}?modifier=oui"


def acts_of_company(company_id: str) -> str:
    """The journal of acts, of one company."""
    return f"{ADMIN_ACTS}?objet=company.{company_id}"


def acts_of_member(member_id: str) -> str:
    """The journal of acts, of one member."""
    return f"{ADMIN_ACTS}?objet=member.{member_id}"


def note_request(member_id: str) -> str:
    """The form of a request that a member made by letter or telephone."""
    return f"{ADMIN_REQUESTS}?membre={member_id}"


def company(company_id: str) -> str:
    """The public page of a company."""
    return f"/entreprises/{company_id}"


def contact_card(member_id: str) -> str:
    """A member's contact card as a vCard file."""
    return f"{DIRECTORY}/{member_id}.vcf"


def answer(event_id: str) -> str:
    """The answer page of an event, without its token."""
    return f"/event/{event_id}"


def guest(guest_id: str) -> str:
    """The page on which a guest declines or has their data erased, without its token."""
    return f"/guest/{guest_id}"


def own_choices(member_id: str) -> str:
    """The page on which a member says what the public site shows of them, without its token."""
    return f"/choix/{member_id}"


def calendar_file(event_id: str) -> str:
    """The calendar file of an event for whoever holds its answer link, without the token."""
    return f"/event/{event_id}/calendar.ics"


def shared_member(member_id: str) -> str:
    """The picture that a shared link to a member shows."""
    return f"/partage/membre/{member_id}.png"


def shared_company(company_id: str) -> str:
    """The picture that a shared link to a company shows."""
    return f"/partage/entreprise/{company_id}.png"


def journal_of(event_id: str) -> str:
    """The mail log of an event."""
    return f"{ADMIN_MAIL_LOG}?evenement={event_id}"


def admin_event(event_id: str) -> str:
    """The page of an event for administrators."""
    return f"{ADMIN_EVENTS}/{event_id}"


def event_tab(event_id: str, tab: str) -> str:
    """A tab of the page of an event."""
    return f"{ADMIN_EVENTS}/{event_id}?onglet={tab}"


def event_texts(event_id: str, text: str = "") -> str:
    """The form of an event's three texts, each with its preview: of the first, unless `text` names another."""
    return f"{ADMIN_EMAILS}?evenement={event_id}{f'&texte={text}' if text else ''}"


def journal_of_mailing(broadcast_id: str) -> str:
    """The mail log of one broadcast."""
    return f"{ADMIN_MAIL_LOG}?message={broadcast_id}"


def correct_address(mail_id: str) -> str:
    """The mail log, with the dialog open that corrects the address of a failed message."""
    return f"{ADMIN_MAIL_LOG}?etat=failed&corriger={mail_id}"


def write_to(**query: Any) -> str:
    """Where a mail is written to a choice of people, by the parameters of the address.

    `membres` are ids, as a list or separated by commas; `evenement` with `reponse`: oui, non, attente, sans, invites,
    venus or absents; `domaine`; or `brouillon`, the id of a draft.
    """
    members = query.get("membres")
    if isinstance(members, str | list | tuple | set | frozenset):
        query["membres"] = _pack(members.split(",") if isinstance(members, str) else list(members))
    # A variable of a screen is no text yet, and its ids need no quoting.
    parts = [f"{name}={quote(value, safe=_SAFE) if isinstance(value, str) else value}" for name, value in query.items()]
    return f"{ADMIN_WRITE}?{'&'.join(parts)}" if parts else ADMIN_WRITE


_SAFE = ",~"
_PACKED, _MOST_UNPACKED, _ID_BYTES = "~", 40, 16


def _pack(ids: list[str]) -> str:
    """Many ids in less than two thirds of their length: proxies refuse an address of more than 8 kB."""
    if len(ids) > _MOST_UNPACKED:
        try:
            raw = b"".join(UUID(each).bytes for each in ids)
        except ValueError:
            return ",".join(ids)
        if unpack_ids(packed := _PACKED + base64.urlsafe_b64encode(raw).decode()) == ids:
            return packed
    return ",".join(ids)


def unpack_ids(text: str) -> list[str]:
    """The ids that `write_to` put into an address; none for what it did not."""
    if not text.startswith(_PACKED):
        return [each for each in text.split(",") if each]
    try:
        raw = base64.urlsafe_b64decode(text[1:])
    except ValueError:
        return []
    if len(raw) % _ID_BYTES:
        return []
    return [str(UUID(bytes=raw[at : at + _ID_BYTES])) for at in range(0, len(raw), _ID_BYTES)]


def calling_list(event_id: str) -> str:
    """The call list of an event."""
    return f"{ADMIN_EVENTS}/{event_id}/appels"


def event_tables(event_id: str) -> str:
    """The tables of an event."""
    return f"{ADMIN_EVENTS}/{event_id}/tables"


def event_printing(event_id: str) -> str:
    """What an event has on paper."""
    return f"{ADMIN_EVENTS}/{event_id}/imprimer"


def badges(event_id: str) -> str:
    """The badges of an event as a PDF file."""
    return f"{ADMIN_EVENTS}/{event_id}/badges.pdf"


def table_names(event_id: str) -> str:
    """Who sits at which table of an event, by name, as a PDF file."""
    return f"{ADMIN_EVENTS}/{event_id}/tables.pdf"


def table_cards(event_id: str) -> str:
    """The cards of an event's tables as a PDF file."""
    return f"{ADMIN_EVENTS}/{event_id}/cartes-de-table.pdf"


def requested_copy(request_id: str) -> str:
    """The copy of a member's data that their request asks for."""
    return f"{ADMIN_REQUESTS}/{request_id}/copie.zip"


def event_answers(event_id: str, extension: str) -> str:
    """The answers of an event as a file: csv or xlsx."""
    return f"{ADMIN_EVENTS}/{event_id}/reponses.{extension}"


def attendance_sheet(event_id: str) -> str:
    """The attendance sheet of an event as a PDF file."""
    return f"{ADMIN_EVENTS}/{event_id}/emargement.pdf"


def arrivals_file(event_id: str, extension: str) -> str:
    """Who came to an event as a file: csv or pdf."""
    return f"{ADMIN_EVENTS}/{event_id}/arrivees.{extension}"


def numbers_sheet(event_id: str) -> str:
    """The numbers of an event as a PDF file."""
    return f"{ADMIN_EVENTS}/{event_id}/nombres.pdf"


def arrivals(event_id: str) -> str:
    """The arrivals of an event, for administrators."""
    return f"{ADMIN_EVENTS}/{event_id}/accueil"


def helper_arrivals(event_id: str) -> str:
    """The same for its helpers, without the token."""
    return f"/accueil/{event_id}"


def members_export(extension: str) -> str:
    """The members as a file: csv or xlsx."""
    return f"/admin/exports/membres.{extension}"


def companies_export(extension: str) -> str:
    """The companies as a file: csv or xlsx."""
    return f"/admin/exports/entreprises.{extension}"
