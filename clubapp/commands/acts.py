"""Commands in the journal of acts: who ran what, by the account of the operating system (T1)."""

from typing import Any


def record_command(name: str, **detail: Any) -> None:
    """Write that a command was run, in a transaction of its own."""
    from clubapp.database import transaction
    from clubapp.services.base import audit
    from clubapp.services.base.actors import command_actor

    with transaction() as session:
        audit.record(session, command_actor(), "command", name=name, **detail)
