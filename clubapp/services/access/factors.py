"""Second factors of a person: listing, adding, verifying, removing (S12).

Access: a person's own session, half open or not.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import delete, or_, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.models import Factor, FactorStatus, FactorType
from clubapp.refusals import Conflict, Forbidden, Invalid, NotFound
from clubapp.services.access import (
    factor_challenges,
    factor_tries,
    passkeys,
    recovery_codes,
    security_notices,
    sessions,
    totp,
)
from clubapp.services.access.factor_challenges import ChallengePurpose
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor, FactorStep, require_fresh
from clubapp.settings import settings

VERIFIED_EVENT = "MFA_CHALLENGE_VERIFIED"
MOST_FACTORS = 10
LONGEST_NAME = 60
NO_PHONE = (
    "Ce site n’envoie pas de SMS\u00a0: choisissez une clé d’accès (webauthn) ou une application d’authentification "
    "(totp)."
)
UNKNOWN_TYPE = "Indiquez le type de vérification\u00a0: totp ou webauthn."
TOO_MANY_FACTORS = "Vous avez déjà dix moyens de vérification\u00a0: retirez-en un avant d’en ajouter."
FACTOR_GONE = "Ce moyen de vérification n’existe plus. Rechargez la page."
VERIFY_FIRST = "Vérifiez d’abord votre connexion avec l’un de vos moyens de vérification."
KEY_TAKEN = "Cette clé d’accès est déjà enregistrée."
LAST_REQUIRED = (
    "L’administration demande une double vérification\u00a0: ajoutez un autre moyen avant de retirer celui-ci."
)
NO_FACTOR = "Vous n’avez pas de double vérification."
WRONG_CODE = "Code incorrect. Attendez le code suivant de votre application, puis réessayez."
WRONG_RECOVERY_CODE = "Ce code de secours n’est pas l’un des vôtres, ou il a déjà servi."
_DEFAULT_NAMES = {FactorType.TOTP: "Application d’authentification", FactorType.WEBAUTHN: "Clé d’accès"}


@dataclass(frozen=True)
class FactorRow:
    """A factor in its person's list."""

    id: str
    factor_type: str
    name: str
    since: str
    last_used: str


@dataclass(frozen=True)
class Enrolment:
    """A factor that waits to be verified for the first time; of an app, what it must be shown, once."""

    id: str
    factor_type: str
    friendly_name: str
    secret: str = field(default="", repr=False)
    uri: str = field(default="", repr=False)
    qr_code: str = field(default="", repr=False)


@dataclass(frozen=True)
class ChallengeView:
    """What a factor is asked; `options` are for the browser's passkeys, to 'create' or 'get' one."""

    id: str
    factor_type: str
    expires_at: datetime
    act: str = ""
    options: dict[str, Any] | None = None


@dataclass(frozen=True)
class Verified:
    """A factor was verified; with their first one a person gets recovery codes, shown once."""

    recovery_codes: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class Refused:
    """An answer was refused. Returned rather than raised: its challenge, and the counted try, must be committed.

    With `is_conflict`, a new passkey is somebody's already.
    """

    text: str
    is_conflict: bool = False


def list_factors(session: Session, actor: Actor) -> tuple[FactorRow, ...]:
    """The actor's factors that count, the oldest first."""
    _require_session(actor)
    query = select(Factor).where(col(Factor.email) == actor.email, col(Factor.status) == FactorStatus.VERIFIED)
    return tuple(
        FactorRow(
            row.id,
            row.factor_type,
            row.friendly_name,
            clock.long_day(row.created_at),
            clock.long_date(row.last_used_at) if row.last_used_at else "",
        )
        for row in session.exec(query.order_by(col(Factor.created_at)))
    )


def enrol_factor(session: Session, actor: Actor, factor_type: str, friendly_name: str = "") -> Enrolment:
    """Begin to add a factor to the actor's; it counts once it was verified. One begun before is dropped.

    Raises:
        Forbidden: without a session, or while a factor of theirs must be verified first.
        ProofRequired: when the last proof is too old.
        Invalid: for a telephone or an unknown type.
        Conflict: when there are ten already.
    """
    _require_may_add(actor)
    if factor_type == "phone":
        raise Invalid(NO_PHONE, field="factor_type")
    if factor_type not in set(FactorType):
        raise Invalid(UNKNOWN_TYPE, field="factor_type")
    kind = FactorType(factor_type)
    _drop_unfinished(session, actor)
    if len(list_factors(session, actor)) >= MOST_FACTORS:
        raise Conflict(TOO_MANY_FACTORS)
    name = "".join(filter(str.isprintable, friendly_name)).strip()[:LONGEST_NAME] or _DEFAULT_NAMES[kind]
    made = Factor(email=actor.email, factor_type=kind, friendly_name=name, created_at=clock.now())
    secret = totp.new_secret() if kind is FactorType.TOTP else ""
    made.secret = totp.seal(secret) if secret else ""
    session.add(made)
    session.flush()
    if kind is FactorType.WEBAUTHN:
        return Enrolment(made.id, kind, name)
    uri = totp.build_uri(secret, actor.email, settings().name)
    return Enrolment(made.id, kind, name, secret, uri, totp.draw_qr(uri))


def challenge_factor(session: Session, actor: Actor, factor_id: str) -> ChallengeView:
    """A challenge for one of the actor's factors, to be answered in the same session.

    Raises:
        Forbidden: without a session.
        NotFound: when it is not a factor of theirs.
    """
    factor = _own(session, actor, factor_id)
    made = factor_challenges.make_challenge(
        ChallengePurpose.FACTOR, bound_to=actor.session_id or "", factor_id=factor.id
    )
    if factor.factor_type == FactorType.TOTP:
        return ChallengeView(made.id, factor.factor_type, made.expires_at)
    if factor.status == FactorStatus.VERIFIED:
        options = passkeys.request_options(made.nonce, _credential_ids(session, actor.email))
        return ChallengeView(made.id, factor.factor_type, made.expires_at, "get", options)
    options = passkeys.creation_options(made.nonce, actor.email, _credential_ids(session, actor.email))
    return ChallengeView(made.id, factor.factor_type, made.expires_at, "create", options)


def verify_factor(
    session: Session,
    actor: Actor,
    factor_id: str,
    challenge_id: str,
    *,
    code: str = "",
    credential: dict[str, Any] | None = None,
) -> Verified | Refused:
    """Check the answer of a factor; the actor's session is open from then on, and its proof is fresh.

    A factor that waited for it counts from now on; with the first one the person's other sessions must verify it.

    Raises:
        Forbidden: without a session, or for a new factor while another must be verified first.
        ProofRequired: for a new factor, when the last proof is too old.
        NotFound: when the factor is not theirs, or the challenge is not good any more.
        TooMany: after five wrong codes in a row.
    """
    factor, is_new = _own(session, actor, factor_id), False
    if factor.status != FactorStatus.VERIFIED:
        _require_may_add(actor)
        is_new = True
    asked = factor_challenges.use_challenge(
        session, challenge_id, ChallengePurpose.FACTOR, bound_to=actor.session_id or "", factor_id=factor.id
    )
    if factor.factor_type == FactorType.TOTP:
        if (refused := _check_code(session, factor, code)) is not None:
            return refused
        return Verified(_accept(session, actor, factor, is_new=is_new))
    try:
        if is_new:
            _keep_new_key(session, factor, passkeys.check_creation(credential or {}, asked.nonce))
        else:
            factor = _answering(session, factor, credential or {})
            check_passkey(session, factor, credential or {}, asked.nonce)
    except (Invalid, Conflict) as refusal:
        return Refused(refusal.text, is_conflict=isinstance(refusal, Conflict))
    return Verified(_accept(session, actor, factor, is_new=is_new))


def check_passkey(
    session: Session, factor: Factor, credential: dict[str, Any], nonce: bytes, *, is_alone: bool = False
) -> None:
    """Check what a passkey signed, and keep its counter.

    Raises:
        Invalid: when it is another passkey, or its answer is wrong.
    """
    if passkeys.credential_id_of(credential) != factor.credential_id:
        raise Invalid(passkeys.REFUSED, field="credential")
    count = passkeys.check_assertion(
        credential, nonce, public_key=factor.secret, sign_count=factor.sign_count, is_alone=is_alone
    )
    values = {"sign_count": count, "last_used_at": clock.now()}
    same = update(Factor).where(col(Factor.id) == factor.id, col(Factor.sign_count) == factor.sign_count)
    if session.execute(same.values(**values)).rowcount != 1:  # pyright: ignore[reportAttributeAccessIssue]
        raise Invalid(passkeys.REFUSED, field="credential")  # a concurrent answer was first


def use_recovery_code(session: Session, actor: Actor, code: str) -> Verified | Refused:
    """Open the actor's session with one of their recovery codes, in the place of a lost factor.

    Raises:
        Forbidden: without a session.
        TooMany: after five wrong codes in a row.
    """
    _require_session(actor)
    tries = factor_tries.refuse_blocked(session, actor.email)
    if not recovery_codes.use_code(session, actor.email, code):
        factor_tries.count_failure(session, tries)
        return Refused(WRONG_RECOVERY_CODE)
    factor_tries.forget_failures(session, tries)
    sessions.mark_proved(session, actor.session_id or "")
    audit.record(session, actor, "factor.used", actor.email, factor_type="recovery_code")
    left = recovery_codes.count_left(session, actor.email)
    security_notices.tell_recovery_code_used(session, actor.email, left)
    return Verified()


def renew_recovery_codes(session: Session, actor: Actor) -> tuple[str, ...]:
    """Ten new recovery codes for the actor, shown once.

    Raises:
        Forbidden: unless they are signed in.
        ProofRequired: when the last proof is too old.
        Conflict: when they have no factor.
    """
    _require_signed_in(actor)
    require_fresh(actor)
    if not sessions.has_factor(session, actor.email):
        raise Conflict(NO_FACTOR)
    return recovery_codes.renew_codes(session, actor)


def remove_factor(session: Session, actor: Actor, factor_id: str) -> None:
    """Remove one of the actor's factors; with the last one the recovery codes go too.

    Raises:
        Forbidden: unless they are signed in.
        ProofRequired: when the last proof is too old.
        NotFound: when it is not a factor of theirs.
        Conflict: when it is the last one, and administrators must have one.
    """
    factor = _own(session, actor, factor_id)
    _require_may_add(actor)
    counted = factor.status == FactorStatus.VERIFIED
    is_last = counted and len(list_factors(session, actor)) == 1
    if is_last and actor.is_admin and settings().admin_second_factor == "required":
        raise Conflict(LAST_REQUIRED)
    session.delete(factor)
    session.flush()
    if is_last:
        recovery_codes.delete_codes(session, actor.email)
    if counted:
        audit.record(session, actor, "factor.remove", actor.email, factor_type=factor.factor_type)
        security_notices.tell_factor_removed(session, actor.email, factor.friendly_name)


def _require_session(actor: Actor) -> None:
    if not actor.has_session:
        raise Forbidden


def _require_signed_in(actor: Actor) -> None:
    if not actor.is_signed_in:
        raise Forbidden


def _require_may_add(actor: Actor) -> None:
    _require_session(actor)
    if actor.factor_step is FactorStep.VERIFY:
        raise Forbidden(VERIFY_FIRST)
    require_fresh(actor)


def _own(session: Session, actor: Actor, factor_id: str) -> Factor:
    _require_session(actor)
    query = select(Factor).where(col(Factor.id) == factor_id, col(Factor.email) == actor.email).with_for_update()
    if (found := session.exec(query).first()) is None:
        raise NotFound(FACTOR_GONE)
    return found


def _answering(session: Session, asked: Factor, credential: dict[str, Any]) -> Factor:
    """The passkey that answers: any of the same person is as good as the one that was asked."""
    same_person = select(Factor).where(col(Factor.email) == asked.email, col(Factor.status) == FactorStatus.VERIFIED)
    answering = same_person.where(col(Factor.credential_id) == passkeys.credential_id_of(credential))
    return session.exec(answering.with_for_update()).first() or asked


def _drop_unfinished(session: Session, actor: Actor) -> None:
    unfinished = delete(Factor).where(col(Factor.email) == actor.email)
    session.execute(unfinished.where(col(Factor.status) == FactorStatus.UNVERIFIED))


def _credential_ids(session: Session, email: str) -> list[str]:
    query = select(Factor.credential_id).where(col(Factor.email) == email, col(Factor.credential_id).is_not(None))
    return [found for found in session.exec(query) if found]


def _check_code(session: Session, factor: Factor, code: str) -> Refused | None:
    tries = factor_tries.refuse_blocked(session, factor.email)
    step = totp.find_step(totp.unseal(factor.secret), code, clock.now(), after=factor.last_step)
    older = or_(col(Factor.last_step).is_(None), col(Factor.last_step) < (step or 0))
    taken = update(Factor).where(col(Factor.id) == factor.id, older)
    seed = {"last_step": step, "secret": totp.reseal(factor.secret)}
    if step is None or session.execute(taken.values(**seed)).rowcount != 1:  # pyright: ignore[reportAttributeAccessIssue]
        factor_tries.count_failure(session, tries)
        return Refused(WRONG_CODE)
    factor_tries.forget_failures(session, tries)
    return None


def _keep_new_key(session: Session, factor: Factor, key: passkeys.NewKey) -> None:
    """Keep the public key of a new passkey.

    Raises:
        Conflict: when the passkey is somebody's already.
    """
    try:
        with session.begin_nested():
            factor.credential_id, factor.secret, factor.sign_count = key.credential_id, key.public_key, key.sign_count
            session.add(factor)
    except IntegrityError:
        raise Conflict(KEY_TAKEN) from None


def _accept(session: Session, actor: Actor, factor: Factor, *, is_new: bool) -> tuple[str, ...]:
    """What follows from a factor that was verified; the recovery codes of a person's first one."""
    sessions.mark_proved(session, actor.session_id or "")
    if not is_new:
        factor.last_used_at = clock.now()
        session.add(factor)
        audit.record(session, actor, "factor.used", actor.email, factor_type=factor.factor_type)
        return ()
    is_first = not sessions.has_factor(session, actor.email)
    factor.status = FactorStatus.VERIFIED
    session.add(factor)
    session.flush()
    audit.record(session, actor, "factor.add", actor.email, factor_type=factor.factor_type)
    security_notices.tell_factor_added(session, actor.email, factor)
    if not is_first:
        return ()
    sessions.half_open_others(session, actor)
    return recovery_codes.renew_codes(session, actor)
