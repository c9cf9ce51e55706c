"""How often the holder of a mail's link may change something: a link is no sign-in, and each change is kept (W14).

What takes something back, such as leaving the mailings, is never refused.
"""

from datetime import timedelta

from sqlmodel import Session, col, func, select

from clubapp import clock
from clubapp.models import Act
from clubapp.refusals import TooMany

WINDOW = timedelta(days=1)
MOST_CHANGES = 30
TOO_MANY_CHANGES = (
    "Ce lien a déjà servi à beaucoup de changements aujourd’hui. Réessayez demain, connectez-vous ou écrivez-nous."
)


class LinkSpent(TooMany):
    """The link has changed as much as one may within a day."""

    def __init__(self) -> None:
        super().__init__(TOO_MANY_CHANGES, retry_after=int(WINDOW.total_seconds()))


def refuse_too_many(session: Session, subject: str, actions: tuple[str, ...]) -> None:
    """Refuse another change of a record, of which `actions` without a session were made within a day.

    Raises:
        LinkSpent: after MOST_CHANGES of them.
    """
    made = (
        select(func.count())
        .select_from(Act)
        .where(
            col(Act.subject) == subject,
            col(Act.action).in_(actions),
            col(Act.session_id) == "",
            col(Act.at) > clock.now() - WINDOW,
        )
    )
    if session.exec(made).one() >= MOST_CHANGES:
        raise LinkSpent
