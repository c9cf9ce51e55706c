"""The answer to a request about someone's data: what was asked is done or refused, and they are told (P2)."""

from sqlmodel import Session, col, select

from clubapp.models import RequestOutcome, Right, RightsRequest
from clubapp.refusals import Conflict, NotFound
from clubapp.services.answers import guest_link
from clubapp.services.base.actors import Actor, require_admin, require_fresh
from clubapp.services.base.form_fields import FormCheck
from clubapp.services.members import editing
from clubapp.services.privacy import rights_requests

GONE = "Cette demande a déjà reçu une réponse."
NO_OUTCOME = "Choisissez\u00a0: c’est fait, ou c’est refusé."
NO_REASON = "Dites pourquoi\u00a0: la personne a le droit de le savoir."
OTHERS_WAIT = (
    "Une autre demande de cette personne attend\u00a0: répondez-y d’abord. Une fois sa fiche effacée, il n’y a plus "
    "rien à copier ni à corriger."
)
SENT, BY_LETTER = "La réponse part par e-mail.", "Réponse notée. Sans adresse e-mail, prévenez par lettre."


def answer_request(session: Session, actor: Actor, request_id: str, outcome: str, answer: str) -> str:
    """Close a request; a request for erasure that is done deletes the member, or the guest of that address.

    Returns what becomes of the answer.

    Raises:
        Forbidden: for anyone but an administrator.
        ProofRequired: for an erasure without a recent proof of who acts (S13).
        NotFound: when it was answered meanwhile.
        InvalidForm: without an outcome, or refused without a reason.
        Conflict: for an erasure while another request of the same member waits.
    """
    require_admin(actor)
    row = session.get(RightsRequest, request_id, with_for_update=True)
    if row is None or row.answered_at:
        raise NotFound(GONE)
    check = FormCheck()
    text = check.block("answer", answer, rights_requests.LONGEST_WORDS)
    if outcome not in list(RequestOutcome):
        check.errors["outcome"] = NO_OUTCOME
    elif outcome == RequestOutcome.REFUSED:
        check.required("answer", text, NO_REASON)
    check.raise_errors()
    email, is_erasure = row.email, row.kind == Right.ERASURE and outcome == RequestOutcome.DONE
    if is_erasure and (row.member_id or email):
        require_fresh(actor)
    if is_erasure and row.member_id:
        _refuse_others(session, row)
        row.answer = text
        editing.delete(session, actor, row.member_id)
    else:
        if is_erasure and email:
            guest_link.erase_by_address(session, actor, email)
        rights_requests.close_request(session, actor, row, RequestOutcome(outcome), text)
    return SENT if email else BY_LETTER


def _refuse_others(session: Session, row: RightsRequest) -> None:
    others = select(RightsRequest.id).where(
        RightsRequest.member_id == row.member_id, RightsRequest.id != row.id, col(RightsRequest.answered_at).is_(None)
    )
    if session.exec(others).first():
        raise Conflict(OTHERS_WAIT)
