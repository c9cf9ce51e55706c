"""The one place that decides who may call what (W1): every event passes here, refused by default.

A state says who may call its handlers:

    class EventsState(rx.State):
        ACCESS: ClassVar[Access] = Access.ADMIN

Rights on a single object are the services' question.
"""

from enum import StrEnum
from typing import Any

import reflex as rx
from reflex.middleware.middleware import Middleware
from reflex.state import BaseState, StateUpdate
from reflex_base.event import Event
from reflex_base.event.context import EventContext
from reflex_base.registry import RegistrationContext
from sqlalchemy.exc import SQLAlchemyError

from clubapp import routes
from clubapp.services.base.actors import VISITOR, Actor
from clubapp.web.security.current_actor import actor_of_session, set_actor
from clubapp.web.states.loading import show_failure

SESSION_HEADER = "authorization"  # one of those Reflex never sends back to the browser
EXPIRED = f"{routes.SIGN_IN}?motif=expiree"
_DYNAMIC = "reflex.istate.dynamic"
_FRAMEWORK_MODULES = ("reflex.", "reflex_base.", "reflex_components")
_HYDRATE = ("hydrate", "hydrate_and_load")
# Reflex's own events, without which no page works. None of them reaches our services.
_FRAMEWORK = frozenset(
    (
        *_HYDRATE,
        "set_is_hydrated",
        "on_load_internal",
        "update_vars_internal",
        "handle_frontend_exception",
    )
)


class Access(StrEnum):
    """Who may call the handlers of a state."""

    EVERYONE = "everyone"
    SIGNED_IN = "signed_in"
    MEMBER = "member"
    ADMIN = "admin"


def may(person: Actor, access: Access) -> bool:
    """Whether a person has an access."""
    return {
        Access.EVERYONE: True,
        Access.SIGNED_IN: person.is_signed_in,
        Access.MEMBER: person.member_id is not None,
        Access.ADMIN: person.is_admin,
    }[access]


class Undeclared(Exception):
    """A state that does not say who may call it; the program does not start."""


def _is_ours(state: type[BaseState]) -> bool:
    # States made inside a function, ours or not, all claim the module named first.
    return state.__module__ == _DYNAMIC or not state.__module__.startswith(_FRAMEWORK_MODULES)


def check_declarations() -> None:
    """Every state of ours declares its access itself; inheriting it does not count.

    Raises:
        Undeclared: with the names of those that do not.
    """
    states = RegistrationContext.ensure_context().base_states.values()
    missing = [
        f"{state.__module__}.{state.__qualname__}"
        for state in states
        if _is_ours(state) and not isinstance(vars(state).get("ACCESS"), Access)
    ]
    if missing:
        raise Undeclared(f"ACCESS is missing on: {', '.join(missing)}")


def access_of(event_name: str) -> Access | None:
    """The access an event needs; None when nobody may send it."""
    registered = RegistrationContext.get().event_handlers.get(event_name)
    if registered is None:
        return None
    state, handler = registered.states[0], event_name.rsplit(".", 1)[-1]
    if not _is_ours(state):
        return Access.EVERYONE if handler in _FRAMEWORK else None
    if handler == "setvar":
        return None
    return vars(state).get("ACCESS")


def is_clean(value: Any) -> bool:
    """Whether a payload holds only text a database can store: no NUL, no lone surrogate. However deep it is."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            if "\0" in item or any("\ud800" <= character <= "\udfff" for character in item):
                return False
        elif isinstance(item, dict):
            waiting += [*item.keys(), *item.values()]
        elif isinstance(item, list | tuple):
            waiting += item
    return True


def _session_id() -> str | None:
    headers = EventContext.get().router_data.get("headers") or {}
    return headers.get(SESSION_HEADER)


async def _person(root: BaseState, event_name: str, access: Access | None) -> Actor:
    """Who calls. Without the database nobody is known; what everyone may call goes on, the error's own toast first.

    A screen that was to be read says that it could not be.
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
    """Looks up the person for every event, then lets the event through or not."""

    async def preprocess(self, app: rx.App, state: BaseState, event: Event) -> StateUpdate | None:  # noqa: ARG002
        """Refuse the event by answering in its place; None lets it through."""
        session_id, access = _session_id(), access_of(event.name)
        person = await _person(state, event.name, access)
        set_actor(person)
        if access is None or not is_clean(event.payload):
            return StateUpdate()
        ended = session_id is not None and not person.is_signed_in
        if ended and event.name.rsplit(".", 1)[-1] in _HYDRATE:
            state.reset()
        if may(person, access):
            return None
        return _redirect(EXPIRED if ended else routes.SIGN_IN)


def _redirect(path: str) -> StateUpdate:
    return StateUpdate(events=Event.from_event_type(rx.redirect(path)))
