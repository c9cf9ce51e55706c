"""The signature under every mail (M6)."""

from dataclasses import dataclass, fields

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, select

from clubapp import clock
from clubapp.mail.messages import text_choice
from clubapp.models import EmailSignature
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor, require_admin, require_fresh_admin
from clubapp.services.base.edit_conflicts import require_version, version_of_values
from clubapp.services.base.form_fields import LONGEST_BLOCK, LONGEST_LINE, InvalidForm, clean_block, clean_line
from clubapp.text import web_links

REQUIRED = {
    "sender_name": "Indiquez le nom de la personne qui signe.",
    "sender_role": "Indiquez sa fonction.",
    "company_name": "Indiquez le nom du club ou de l’entreprise.",
}
LINES = (*REQUIRED, "phone", "mobile", "address", "website")
# A fixed id for the first row, so that the unique key refuses the second of two concurrent first signatures.
_FIRST = "00000000-0000-4000-8000-000000000001"
LONG_LINE = f"{LONGEST_LINE} caractères au maximum."
LONG_HTML = "Ce code est trop long\u00a0: 10\u00a0000 caractères au maximum."
REMOTE_PICTURE = (
    "Ce code montre une image d’un autre site, qui saurait qui ouvre vos e-mails. Importez-la ici, par exemple comme "
    "logo d’une entreprise, et donnez l’adresse qu’elle reçoit\u00a0; ou retirez-la."
)
BAD_WEBSITE = "Indiquez une adresse web complète, par exemple https://www.club.fr."


@dataclass(frozen=True)
class SignatureForm:
    """The form as typed. `seen` is the version that was opened, `changed` says who changed it last and when."""

    seen: str = ""
    changed: str = ""
    sender_name: str = ""
    sender_role: str = ""
    company_name: str = ""
    phone: str = ""
    mobile: str = ""
    address: str = ""
    website: str = ""
    custom_html: str = ""


def open_form(session: Session, actor: Actor) -> SignatureForm:
    """The form of the club's signature, or of the built-in one."""
    require_admin(actor)
    row = _row(session)
    if row is None:
        start = text_choice.default_signature()
        return SignatureForm(seen=_version(None), **{name: getattr(start, name) for name in LINES})
    changed = f"Modifiée le {clock.short_date(row.updated_at)}" + (f" par {row.updated_by}" if row.updated_by else "")
    texts = {name: getattr(row, name) for name in (*LINES, "custom_html")}
    return SignatureForm(seen=_version(row), changed=changed, **texts)


def save(session: Session, actor: Actor, typed: SignatureForm) -> None:
    """Save the signature, its HTML sanitised.

    Raises:
        ProofRequired: when the last proof is too old (S13): it stands under every mail.
        InvalidForm: when a required line is missing, one is too long, the website is no web address, or the HTML shows
            a picture of another site.
        TextChanged: when someone saved another one since it was opened.
    """
    require_fresh_admin(actor)
    checked = check_signature(typed)
    row = _row(session, lock=True)
    require_version(typed.seen, _version(row))
    columns = audit.read_columns(row)
    row = row or EmailSignature(id=_FIRST, sender_name="", sender_role="", company_name="", updated_at=clock.now())
    try:
        with session.begin_nested():
            for name, text in signature_columns(checked).items():
                setattr(row, name, text)
            row.updated_by, row.updated_at = actor.email, clock.now()
            session.add(row)
    except IntegrityError:
        require_version(typed.seen, _version(_row(session)))
        raise
    changes = audit.compare(columns, audit.read_columns(row))
    audit.record(session, actor, "signature.updated", row.id, changes=changes)


def check_signature(typed: SignatureForm) -> SignatureForm:
    """Check a form and return its signature, the HTML sanitised.

    Raises:
        InvalidForm: with every field that is wrong, in the order of the form.
    """
    found = clean_signature(typed)
    errors = {name: missing for name, missing in REQUIRED.items() if not getattr(found, name)}
    errors |= {name: LONG_LINE for name in LINES if len(getattr(found, name)) > LONGEST_LINE}
    is_built_in = found.website == text_choice.default_signature().website  # may be a machine of one's own
    if found.website and not is_built_in and not web_links.web_address(found.website):
        errors["website"] = BAD_WEBSITE
    if len(clean_block(typed.custom_html)) > LONGEST_BLOCK:
        errors["custom_html"] = LONG_HTML
    elif text_choice.has_remote_pictures(typed.custom_html):
        errors["custom_html"] = REMOTE_PICTURE
    if errors:
        raise InvalidForm({name: errors[name] for name in (*LINES, "custom_html") if name in errors})
    return found


def clean_signature(typed: SignatureForm) -> SignatureForm:
    """Clean the lines of a signature and sanitise its HTML."""
    texts = {name: clean_line(getattr(typed, name)) for name in LINES}
    return SignatureForm(
        **texts, custom_html=text_choice.clean_html(clean_block(typed.custom_html)[: 2 * LONGEST_BLOCK])
    )


def signature_columns(form: SignatureForm) -> dict[str, str]:
    """The columns to write, by name."""
    return {name: getattr(form, name) for name in (*LINES, "custom_html")}


def form_from_entries(entries: dict[str, str]) -> SignatureForm:
    """Build a form from its entries by name; missing ones are empty."""
    return SignatureForm(**{each.name: entries.get(each.name, "") for each in fields(SignatureForm)})


def _row(session: Session, *, lock: bool = False) -> EmailSignature | None:
    query = select(EmailSignature).limit(1)
    return session.exec(query.with_for_update() if lock else query).first()


def _version(row: EmailSignature | None) -> str:
    return version_of_values(*(getattr(row, name) for name in (*LINES, "custom_html"))) if row else "built-in"
