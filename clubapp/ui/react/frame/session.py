"""The browser's part in signing in and staying signed in. Tokens and cookies go by plain HTTP, not through Reflex."""

import reflex as rx

from clubapp.ui.react.script_path import script


class Redeemer(rx.Component):
    """Redeems the link its page was opened with, without the socket. A press on `[data-confirm]` inside it confirms."""

    library = script(__name__, "session.jsx")
    tag = "Redeemer"


class RedemptionStep(rx.Component):
    """Shown while the `Redeemer` around it is at `begin`, `checking`, `confirm`, `done` or `error`, with `text`."""

    library = Redeemer.library
    tag = "RedemptionStep"

    step: rx.Var[str]
    text: rx.Var[str]


class RedemptionText(rx.Component):
    """What the server has told the `Redeemer` around it: `email`, masked, or the `text` of an error or a warning."""

    library = Redeemer.library
    tag = "RedemptionText"

    of: rx.Var[str]


class CodeForm(rx.Component):
    """A form with a field `code`; signs in, or calls `on_refuse(text)`.

    With another `path`, `nonce` and `on_accept` it renews the session and stays on the page.
    """

    library = Redeemer.library
    tag = "CodeForm"

    path: rx.Var[str]
    nonce: rx.Var[str]

    on_accept: rx.EventHandler[rx.event.no_args_event_spec]
    on_refuse: rx.EventHandler[rx.event.passthrough_event_spec(str)]


class SignOutForm(rx.Component):
    """A form that the browser posts to `action` to end the session; Reflex's own forms never leave the page."""

    library = Redeemer.library
    tag = "SignOutForm"

    action: rx.Var[str]


class SessionKeeper(rx.Component):
    """Calls `on_check` at once and every 30 s while visible; leaves the page after `ends_in` ms.

    Shows its children above everything, open dialogs too. `email` is kept for the sign-in form when time is up.
    """

    library = Redeemer.library
    tag = "SessionKeeper"

    ends_in: rx.Var[int]
    email: rx.Var[str]

    on_check: rx.EventHandler[rx.event.no_args_event_spec]


class ExpiredAddress(rx.Component):
    """Calls `on_known` with the address whose session has expired in this tab, if any."""

    library = Redeemer.library
    tag = "ExpiredAddress"

    on_known: rx.EventHandler[rx.event.passthrough_event_spec(str)]


expired_address = ExpiredAddress.create
redeemer = Redeemer.create
redemption_step = RedemptionStep.create
redemption_text = RedemptionText.create
code_form = CodeForm.create
sign_out_form = SignOutForm.create
session_keeper = SessionKeeper.create
