"""Who is signed in, for how long, and the sign-out button. The server computes the time left (S8)."""

from math import ceil
from typing import ClassVar

import reflex as rx

from clubapp import clock, routes
from clubapp.ui.kit.banner import banner
from clubapp.ui.kit.button import button, close_button
from clubapp.ui.kit.links import page_link
from clubapp.ui.react.frame.session import session_keeper, sign_out_form
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access

WARN_SECONDS = 5 * 60


class SessionState(rx.State):
    """The session of the signed-in person; `ends_in` is in milliseconds."""

    ACCESS: ClassVar[Access] = Access.SIGNED_IN

    email: str = ""
    minutes: int = 0
    ends_in: int = 0
    is_ending: bool = False
    is_warning_closed: bool = False

    @rx.event
    def check(self) -> None:
        """Read the time left. Once the session has ended, the guard refuses this call and redirects."""
        person = actor()
        if person.expires_at is None:
            return
        left = max(0.0, (person.expires_at - clock.now()).total_seconds())
        self.email = person.email
        self.minutes = ceil(left / 60)
        self.ends_in = int(left * 1000)
        self.is_ending = left <= WARN_SECONDS

    @rx.event
    def close_notice(self) -> None:
        """Hide the warning that the session ends soon."""
        self.is_warning_closed = True


def session_panel(sessions: str) -> rx.Component:
    """Part of the menu of both areas; `sessions` is the path of 'Mes sessions' in that area."""
    return rx.el.div(
        rx.el.p(SessionState.email, class_name="session-email", title=SessionState.email),
        rx.el.p("La session expire dans ", SessionState.minutes, " min", class_name="session-left"),
        page_link("Mes sessions", to=sessions, class_name="session-link"),
        sign_out_form(button("Déconnexion", type="submit", variant="secondary"), action=routes.SIGN_OUT),
        session_keeper(_notice(), ends_in=SessionState.ends_in, on_check=SessionState.check),
        class_name="session-panel",
        data_known=rx.cond(SessionState.email != "", "true", "false"),
    )


def _notice() -> rx.Component:
    warning = banner(
        rx.el.span("Votre session expire dans ", SessionState.minutes, " min"),  # pyright: ignore[reportArgumentType]
        "Enregistrez votre travail\u00a0: à l’expiration, vous devrez vous reconnecter.",
        "amber",
        close_button("Fermer l’avertissement", on_click=SessionState.close_notice),
        role="presentation",
    )
    return rx.cond(SessionState.is_ending & ~SessionState.is_warning_closed, warning, rx.fragment())
