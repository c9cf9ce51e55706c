"""People with a second factor: their session, their app, and the codes it shows."""

from datetime import timedelta

from pyotp.totp import TOTP

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.services.access import factors, sessions
from clubapp.services.access.factors import Enrolment, Refused, Verified
from clubapp.services.base.actors import Actor
from tests.services.access.sign_ins import HELENE


def person_of(email: str = HELENE, *, is_half_open: bool = False) -> Actor:
    """Somebody with a new session."""
    with transaction() as session:
        cookie, _ = sessions.open_session(session, email, is_half_open=is_half_open)
    return now_of(cookie.partition(".")[0])


def now_of(session_id: str | None) -> Actor:
    """Whose session it is, with the rights it has now."""
    with reading() as session:
        found = sessions.find_actor(session, session_id or "")
    assert found is not None
    return found


def begin_app(person: Actor, name: str = "") -> Enrolment:
    """An app that waits for its first code."""
    with transaction() as session:
        return factors.enrol_factor(session, person, "totp", name)


def code_of(app: Enrolment, *, steps: int = 0) -> str:
    """What the app shows now, or some steps of 30 s later."""
    return TOTP(app.secret).at(clock.now() + timedelta(seconds=30 * steps))


def type_code(person: Actor, app: Enrolment, code: str) -> Verified | Refused:
    """A challenge for the app, answered by a code."""
    with transaction() as session:
        asked = factors.challenge_factor(session, person, app.id)
    with transaction() as session:
        return factors.verify_factor(session, person, app.id, asked.id, code=code)


def add_app(person: Actor, name: str = "") -> tuple[Enrolment, tuple[str, ...]]:
    """An app of the person that counts, and the recovery codes it brought."""
    made = begin_app(person, name)
    done = type_code(person, made, code_of(made))
    assert isinstance(done, Verified)
    return made, done.recovery_codes
