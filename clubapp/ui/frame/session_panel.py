"""Who is signed in, for how long, and the sign-out button. The server computes the time left (S8).

Five minutes before the end a warning offers another hour: a code by mail, typed in place, renews the session.
"""

from collections.abc import AsyncIterator
from math import ceil
from typing import ClassVar

import reflex as rx

from clubapp import clock, routes
from clubapp.refusals import Refusal
from clubapp.services.access import sessions as session_rows
from clubapp.services.access import sign_in
from clubapp.text.email_addresses import split_address
from clubapp.ui.kit.badge import badge
from clubapp.ui.kit.button import button, close_button
from clubapp.ui.kit.field import error_line, field
from clubapp.ui.kit.links import external_link, page_link
from clubapp.ui.kit.text import broken_address, show_if, visually_hidden
from clubapp.ui.react.frame.session import code_form, session_keeper, sign_out_form
from clubapp.web.security.current_actor import actor
from clubapp.web.security.guard import Access
from clubapp.web.service_calls import read, write

WARN_SECONDS = 5 * 60


class SessionState(rx.State):
    """The session of the signed-in person; `ends_in` is in milliseconds. A member who manages has both areas."""

    ACCESS: ClassVar[Access] = Access.SIGNED_IN

    email: str = ""
    email_parts: list[str] = []
    has_both_areas: bool = False
    minutes: int = 0
    ends_in: int = 0
    is_ending: bool = False
    is_warning_closed: bool = False
    is_sending: bool = False
    error: str = ""
    should_add_factor: bool = False
    nonce: str = ""  # of the code that was asked for; it grants nothing by itself (S4)

    @rx.event
    async def check(self) -> None:
        """Read the time left, and whether an administrator lacks a second factor.

        Once the session has ended, the guard refuses this call and redirects.
        """
        person = actor()
        if person.expires_at is None:
            return
        left = max(0.0, (person.expires_at - clock.now()).total_seconds())
        if person.is_admin:
            self.should_add_factor = not await read(session_rows.has_factor, person.email)
        self.email, self.has_both_areas = person.email, person.is_admin and person.member_id is not None
        self.email_parts = split_address(person.email)
        self.minutes = ceil(left / 60)
        self.ends_in = int(left * 1000)
        self.is_ending = left <= WARN_SECONDS
        if not self.is_ending:
            self.is_warning_closed, self.nonce, self.error = False, "", ""

    @rx.event
    async def ask_code(self) -> AsyncIterator[None]:
        """Send a code to the person's own address."""
        person, self.is_sending, self.error = actor(), True, ""
        yield
        try:
            self.nonce = await write(
                sign_in.request_link, person.email, requester=self.router.session.client_ip, only_code=True
            )
        except Refusal as refusal:
            self.error = refusal.text
        finally:
            self.is_sending = False

    @rx.event
    def refuse_code(self, text: str) -> None:
        """Show why the server refused the code."""
        self.error = str(text)[:300]

    @rx.event
    def close_notice(self) -> None:
        """Hide the warning that the session ends soon."""
        self.is_warning_closed = True


def session_panel(sessions: str, other_area: tuple[str, str]) -> rx.Component:
    """Part of the menu of both areas; `sessions` is the path of 'Mes sessions' in that area.

    `other_area` is the label and the path of the switch that leads whoever has both areas to the other one.
    """
    label, path = other_area
    return rx.el.div(
        rx.cond(
            SessionState.has_both_areas,
            # A full page load: each area has a style sheet of its own.
            external_link(label, path, class_name="button button-secondary session-switch"),
            rx.fragment(),
        ),
        rx.el.p(broken_address(SessionState.email_parts), class_name="session-email", title=SessionState.email),
        rx.el.p("La session expire dans ", SessionState.minutes, " min", class_name="session-left"),
        page_link("Mes sessions", _reminder(), to=sessions, class_name="session-link"),
        sign_out_form(button("Déconnexion", type="submit", variant="secondary"), action=routes.SIGN_OUT),
        session_keeper(_notice(), ends_in=SessionState.ends_in, email=SessionState.email, on_check=SessionState.check),
        class_name="session-panel",
        data_known=rx.cond(SessionState.email != "", "true", "false"),
    )


def _reminder() -> rx.Component:
    """Beside the link, where its arrival moves nothing."""
    told = rx.fragment(badge("À protéger", "amber"), visually_hidden(" par une double vérification"))
    return show_if(SessionState.should_add_factor, told)


def _notice() -> rx.Component:
    told = rx.el.div(
        rx.el.p("Votre session expire dans ", SessionState.minutes, " min", class_name="banner-title"),
        rx.el.p(
            rx.cond(
                SessionState.nonce != "",
                rx.fragment(
                    "Un code est parti à ",
                    broken_address(SessionState.email_parts),
                    "\u00a0: saisissez-le ici, sans quitter cette page.",
                ),
                "Enregistrez votre travail, ou restez connecté une heure de plus avec un code reçu par e-mail.",
            ),
            class_name="banner-text",
        ),
        role="status",
    )
    warning = rx.el.div(
        rx.el.div(
            told,
            rx.cond(SessionState.nonce != "", _code(), _offer()),
            class_name="banner-body",
        ),
        close_button("Fermer l’avertissement", on_click=SessionState.close_notice),
        class_name="banner banner-amber",
    )
    return rx.cond(SessionState.is_ending & ~SessionState.is_warning_closed, warning, rx.fragment())


def _offer() -> rx.Component:
    return rx.fragment(
        button(
            "Rester connecté",
            variant="secondary",
            busy=SessionState.is_sending,
            busy_label="Envoi en cours...",
            on_click=SessionState.ask_code,
        ),
        error_line("session-offer", SessionState.error),
    )


def _code() -> rx.Component:
    return code_form(
        field(
            "Code à 6 chiffres reçu par e-mail",
            "code",
            id="session-code",
            required=True,
            auto_complete="one-time-code",
            input_mode="numeric",
            max_length=7,
            auto_focus=True,
            error=SessionState.error,
        ),
        button("Valider le code", type="submit", variant="secondary"),
        path=routes.RENEW,
        nonce=SessionState.nonce,
        on_accept=SessionState.check,
        on_refuse=SessionState.refuse_code,
        class_name="session-code",
    )
