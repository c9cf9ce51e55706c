"""A mail to a choice of people, as its screen shows it: to whom, who is left out and why, and what is typed."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from sqlmodel import Session, col

from clubapp import clock
from clubapp.database import insert_statement
from clubapp.mail.messages import event_variables
from clubapp.mail.messages.built_in_event_texts import THANKS, EventTemplate
from clubapp.models import BroadcastEmail, Event, EventGuest, Member, new_id
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.base.edit_conflicts import require_version
from clubapp.services.base.form_fields import FormCheck
from clubapp.services.events import stages
from clubapp.services.mailings import attachments, audiences, broadcasts, stored_audience
from clubapp.services.mailings.audiences import Reason
from clubapp.services.mailings.event_templates import name_unknown_variables
from clubapp.services.mailings.mail_texts import MailTextCheck
from clubapp.services.mailings.stored_audience import AnswerGroup, Selection
from clubapp.text.collation import sort_by_name

OF_AN_EVENT = "{names}\u00a0: cette variable est celle d’une rencontre, et ces destinataires n’en ont pas."
_MOST_LEFT_OFF = 2_000


@dataclass(frozen=True)
class WritingForm:
    """The form as typed. `id` is that of the broadcast, saved or not; `seen` the version that was opened.

    `left_off` are the ids of people taken off by hand, separated by commas.
    """

    id: str = ""
    seen: str = ""
    subject: str = ""
    content: str = ""
    audience: str = stored_audience.ALL
    left_off: str = ""


@dataclass(frozen=True)
class Addressee:
    """One person in the list."""

    id: str
    name: str
    email: str
    is_guest: bool = False


@dataclass(frozen=True)
class NotReached:
    """Somebody of the selection who gets nothing, and why."""

    id: str
    name: str
    reason: str
    href_id: str = ""  # of a member, whose page mends it


@dataclass(frozen=True)
class ToWhom:
    """The people of a selection. `number` is '41 membres', `left_out_label` counts `left_out` by reason.

    `label` says what they have in common; people who were named have nothing.

    `event_id` is the event whose variables the text may hold. `is_known` is false for what selects nobody at all.
    """

    is_known: bool = False
    label: str = ""
    number: str = ""
    count: int = 0
    chosen: tuple[Addressee, ...] = ()
    left_out: tuple[NotReached, ...] = ()
    left_out_label: str = ""
    taken_off: tuple[Addressee, ...] = ()
    event_id: str = ""


def begin(session: Session, actor: Actor, query: Mapping[str, str]) -> WritingForm | None:
    """The form of a new mail to whom the parameters of an address name, or a draft; None for neither.

    It is empty, but for those who came to an event, or said they would to one that is past: thanks are proposed.

    Raises:
        Conflict: when the draft was sent.
        NotFound: when it was deleted.
    """
    require_admin(actor)
    if query.get("brouillon"):
        return _form(broadcasts.require_draft(session, query["brouillon"]))
    found = stored_audience.selection_of_address(query)
    if found is None:
        return None
    proposed = THANKS if _is_to_be_thanked(session, found) else EventTemplate("", "")
    return WritingForm(id=new_id(), audience=found.to_audience(), subject=proposed.subject, content=proposed.body)


def read_to_whom(session: Session, actor: Actor, audience: str, left_off: str = "") -> ToWhom:
    """Whom a mail would reach now."""
    require_admin(actor)
    label = stored_audience.describe_audience(session, audience)
    if not label:
        return ToWhom()
    found = audiences.resolve_audience(session, audience, set(left_off.split(",")))
    reasons = Counter(reason for _, reason in found.left_out)
    return ToWhom(
        is_known=True,
        label="" if audience.startswith(stored_audience.PICKED) else label,
        number=audiences.count_people(found.chosen),
        count=len(found.chosen),
        chosen=tuple(Addressee(one.id, one.name, one.email, one.is_guest) for one in found.chosen),
        left_out=tuple(
            NotReached(one.id, one.name, reason.sentence, "" if one.is_guest else one.id)
            for one, reason in found.left_out
        ),
        left_out_label=", ".join(reason.count(reasons[reason]) for reason in Reason if reasons[reason]),
        taken_off=_taken_off(session, left_off),
        event_id=stored_audience.event_of(audience) or "",
    )


def save(session: Session, actor: Actor, typed: WritingForm) -> WritingForm:
    """Save the draft, new or changed. The same press twice saves it once.

    Raises:
        Conflict: when it was sent.
        Forbidden: when somebody else has begun it.
        InvalidForm: when subject or text are missing, too long or hold a variable that has no value here, or the
            audience is none.
        NotFound: when the id is none.
        TextChanged: when someone else changed it since it was opened.
    """
    attachments.require_own(session, actor, typed.id)
    check = MailTextCheck()
    subject = check.required("subject", check.line("subject", typed.subject), broadcasts.NO_SUBJECT)
    content = check.mail_text("content", typed.content, broadcasts.NO_CONTENT, broadcasts.LONGEST_CONTENT)
    broadcasts.check_audience(session, check, typed.audience)
    has_event = stored_audience.event_of(typed.audience) is not None
    for name, text in (("subject", subject), ("content", content)):
        _check_variables(check, name, text, has_event=has_event)
    check.raise_errors()
    left_off = ",".join(list(dict.fromkeys(filter(None, typed.left_off.split(","))))[:_MOST_LEFT_OFF])
    draft, is_new = _take(session, actor, typed.id)
    given = (subject, content, typed.audience, left_off)
    if not is_new and given != (draft.subject, draft.content, draft.audience, draft.left_off):
        require_version(typed.seen, broadcasts.version_of(draft))
    columns = audit.read_columns(None if is_new else draft)
    draft.subject, draft.content, draft.audience, draft.left_off = given
    session.add(draft)
    session.flush()
    changes = audit.compare(columns, audit.read_columns(draft))
    if changes:
        audit.record(session, actor, "broadcast.saved", draft.id, changes=changes, title=subject)
    return _form(draft)


def _is_to_be_thanked(session: Session, chosen: Selection) -> bool:
    if chosen.answer not in (AnswerGroup.CAME, AnswerGroup.YES):
        return False
    event = session.get(Event, chosen.event_id)
    return event is not None and (stages.has_ended(event) or event.doors_closed_at is not None)


def _take(session: Session, actor: Actor, broadcast_id: str) -> tuple[BroadcastEmail, bool]:
    """The draft of an id, locked, and whether it is made here."""
    made = BroadcastEmail(id=broadcast_id, subject="", content="", sent_by=actor.email, created_at=clock.now())
    statement = insert_statement(session.get_bind().dialect.name, BroadcastEmail).on_conflict_do_nothing()
    inserted = session.connection().execute(statement.returning(col(BroadcastEmail.id)), made.model_dump()).first()
    return broadcasts.require_draft(session, broadcast_id, lock=True), inserted is not None


def _check_variables(check: FormCheck, name: str, text: str, *, has_event: bool) -> None:
    if name in check.errors:
        return
    if unknown := name_unknown_variables(text):
        check.errors[name] = unknown
    elif not has_event and (lost := event_variables.find_event_variables(text)):
        check.errors[name] = OF_AN_EVENT.format(names=", ".join(f"{{{{{each}}}}}" for each in lost[:5]))


def _taken_off(session: Session, left_off: str) -> tuple[Addressee, ...]:
    ids = [each for each in left_off.split(",") if each][:_MOST_LEFT_OFF]
    found = [session.get(Member, each) or session.get(EventGuest, each) for each in ids]
    known = [Addressee(one.id, one.name, one.email or "", isinstance(one, EventGuest)) for one in found if one]
    return tuple(sort_by_name(known))


def _form(draft: BroadcastEmail) -> WritingForm:
    return WritingForm(
        draft.id, broadcasts.version_of(draft), draft.subject, draft.content, draft.audience, draft.left_off
    )
