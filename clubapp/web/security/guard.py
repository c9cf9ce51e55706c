"""Decides who may send which event (W1): every event passes here and is refused by default.

A state says who may call its handlers:

    class EventsState(rx.State):
        ACCESS: ClassVar[Access] = Access.ADMIN
        HANDLER_ACCESS: ClassVar[dict[str, Access]] = {"send": Access.ADMIN_FRESH}  # those that differ

Who lacks nothing but a recent proof is asked for it, and the event is sent again (S13). Rights on a single object are
checked by the services.
"""

import logging
import re
from collections.abc import Iterable
from enum import StrEnum
from itertools import chain
from typing import Any, cast

import reflex as rx
from reflex.middleware.middleware import Middleware
from reflex.state import BaseState, StateUpdate
from reflex_base.event import Event
from reflex_base.event.context import EventContext
from reflex_base.registry import RegistrationContext
from sqlalchemy.exc import SQLAlchemyError

from clubapp import routes
from clubapp.infra import refusal_counts
from clubapp.services.base.actors import VISITOR, Actor
from clubapp.web.security.current_actor import actor_of_session, set_actor
from clubapp.web.security.declared_arguments import are_declared
from clubapp.web.security.framework_events import HYDRATE, is_expected, is_framework_event, shorten_report
from clubapp.web.states.loading import show_failure

log = logging.getLogger(__name__)
SESSION_HEADER = "authorization"  # one of those Reflex never sends back to the browser
EXPIRED = f"{routes.SIGN_IN}?motif=expiree"
_DYNAMIC = "reflex.istate.dynamic"
_FRAMEWORK_MODULES = ("reflex.", "reflex_base.", "reflex_components")
# Far more levels than a screen sends, and more values than the longest list of choices.
DEEPEST = 20
MOST_VALUES = 10_000
# Characters in an event that anybody may send: a visitor types an address, and sends a link's token.
MOST_TEXT = 4_000
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
UNDECLARED = "Ce que la page a envoyé n’est pas ce qui est attendu\u00a0: rechargez-la, puis réessayez."


class Access(StrEnum):
    """Who may call the handlers of a state."""

    EVERYONE = "everyone"
    HALF_OPEN = "half_open"  # whoever has a session, even one that waits for a second factor
    OWN_FRESH = "own_fresh"  # the same, with a recent proof
    SIGNED_IN = "signed_in"
    MEMBER = "member"
    ADMIN = "admin"
    ADMIN_FRESH = "admin_fresh"


# What is left of these once the proof is too old.
WITHOUT_PROOF = {Access.OWN_FRESH: Access.HALF_OPEN, Access.ADMIN_FRESH: Access.ADMIN}


def has_access(person: Actor, access: Access) -> bool:
    """Whether a person has an access."""
    return {
        Access.EVERYONE: True,
        Access.HALF_OPEN: person.has_session,
        Access.OWN_FRESH: person.has_session and not person.needs_proof,
        Access.SIGNED_IN: person.is_signed_in,
        Access.MEMBER: person.member_id is not None,
        Access.ADMIN: person.is_admin,
        Access.ADMIN_FRESH: person.is_admin and not person.needs_proof,
    }[access]


class UndeclaredAccess(Exception):
    """A state that does not say who may call it; the program does not start."""


def _is_own_state(state: type[BaseState]) -> bool:
    # States made inside a function, ours or not, all claim the module named first.
    return state.__module__ == _DYNAMIC or not state.__module__.startswith(_FRAMEWORK_MODULES)


def check_declarations() -> None:
    """Every state of ours declares its access itself; inheriting it does not count. HANDLER_ACCESS names handlers.

    Raises:
        Undeclared: with the names of those that do not.
    """
    states = list(RegistrationContext.ensure_context().base_states.values())
    missing = [
        f"{state.__module__}.{state.__qualname__}"
        for state in states
        if _is_own_state(state) and not isinstance(vars(state).get("ACCESS"), Access)
    ]
    if missing:
        raise UndeclaredAccess(f"ACCESS is missing on: {', '.join(missing)}")
    unknown = [
        f"{state.__qualname__}.{name}"
        for state in states
        for name in vars(state).get("HANDLER_ACCESS", ())
        if name not in state.event_handlers
    ]
    if unknown:
        raise UndeclaredAccess(f"HANDLER_ACCESS names no handler: {', '.join(unknown)}")


def access_of(event_name: str) -> Access | None:
    """The access an event needs; None when nobody may send it."""
    registered = RegistrationContext.get().event_handlers.get(event_name)
    if registered is None:
        return None
    state = registered.states[0]
    if not _is_own_state(state):
        return Access.EVERYONE if is_framework_event(event_name) else None
    if event_name.endswith(".setvar"):
        return None
    return vars(state).get("HANDLER_ACCESS", {}).get(event_name.rpartition(".")[2]) or vars(state).get("ACCESS")


def is_clean(value: Any, most_text: int | None = None) -> bool:
    """Whether a payload holds only text a database can store: no NUL, no lone surrogate; and not too much of it."""
    count, length, level = 0, 0, [value]
    for _ in range(DEEPEST):
        texts = [item for item in level if isinstance(item, str)]
        count, length = count + len(level), length + sum(map(len, texts))
        if count > MOST_VALUES or (most_text is not None and length > most_text) or any(map(_UNSTORABLE.search, texts)):
            return False
        level = [inner for item in level for inner in _inside(item)]
        if not level:
            return True
    return False


def _inside(item: Any) -> Iterable[Any]:
    if isinstance(item, dict):
        return chain(item.keys(), item.values())
    return item if isinstance(item, list | tuple) else ()


def is_payload_allowed(event: Event, access: Access | None = None) -> bool:
    """Whether anybody may send these arguments; what a browser reports of an error is shortened on the way.

    What everyone may send is also short, and of the types that the handler declares.
    """
    if not isinstance(event.payload, dict) or not is_clean(event.payload):
        return False
    if not is_framework_event(event.name):
        return access is not Access.EVERYONE or (_are_declared(event) and is_clean(event.payload, MOST_TEXT))
    if not is_expected(event.name, event.payload):
        return False
    shorten_report(event.name, event.payload)
    return True


def _are_declared(event: Event) -> bool:
    """Whether the arguments of an event are those that its handler declares; those of Reflex's own are known."""
    handler = RegistrationContext.get().event_handlers[event.name].handler
    return is_framework_event(event.name) or are_declared(handler.fn, event.payload)


def _session_id() -> str | None:
    headers = EventContext.get().router_data.get("headers") or {}
    return headers.get(SESSION_HEADER)


async def _resolve_actor(root: BaseState, event_name: str, access: Access | None) -> Actor:
    """The person who sends an event. While the database is away, handlers open to everyone run as for a visitor.

    A screen that was to be loaded shows that it could not be read.
    """
    try:
        return await actor_of_session(_session_id())
    except SQLAlchemyError:
        if access is Access.EVERYONE:
            return VISITOR
        if access is not None and event_name.endswith(".load"):
            screen = await root.get_state(RegistrationContext.get().event_handlers[event_name].states[0])
            if "has_failed" in screen.vars:
                await show_failure(screen)
        raise


class Guard(Middleware):
    """Resolves the person of every event and refuses what they may not call."""

    async def preprocess(self, app: rx.App, state: BaseState, event: Event) -> StateUpdate | None:  # noqa: ARG002
        """Refuse the event by answering in its place; None lets it through."""
        session_id, access = _session_id(), access_of(event.name)
        person = await _resolve_actor(state, event.name, access)
        set_actor(person)
        if access is None or not is_payload_allowed(event, access):
            refusal_counts.count(refusal_counts.EVENT)
            return StateUpdate()
        ended = session_id is not None and not person.has_session
        if ended and event.name in HYDRATE:
            state.reset()
        if has_access(person, WITHOUT_PROOF.get(access, access)):
            if not _are_declared(event):
                return _refuse_arguments(event)
            return None if has_access(person, access) else _ask_for_proof(event)
        if not ended:
            refusal_counts.count(refusal_counts.EVENT)
        return _redirect(EXPIRED if ended else way_in(person))


def way_in(person: Actor) -> str:
    """Where whoever may not enter can: the sign-in page, or the second step of a session that is half open."""
    return routes.SECOND_STEP if person.has_session and person.factor_step else routes.SIGN_IN


def _refuse_arguments(event: Event) -> StateUpdate:
    """Tell somebody signed in, whose page may be older than the program; the log names the handler."""
    from clubapp.web.screens.toasts import ToastState

    refusal_counts.count(refusal_counts.EVENT)
    log.warning("refused for its arguments: %s", event.name)
    return _then(ToastState.show("error", "Erreur", UNDECLARED))


def _ask_for_proof(event: Event) -> StateUpdate:
    """Let the browser open the dialog of the proof, which sends the event again."""
    from clubapp.web.screens.proof import ProofState

    return _then(ProofState.ask(event.name, event.payload))


def _redirect(path: str) -> StateUpdate:
    return _then(rx.redirect(path))


def _then(event: Any) -> StateUpdate:
    """The update that lets the browser go on with an event."""
    return StateUpdate(events=Event.from_event_type(cast(rx.event.EventSpec, event)))
