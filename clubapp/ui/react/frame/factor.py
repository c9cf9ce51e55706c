"""The browser's part in second factors: codes, passkeys. Their answers go by plain HTTP, which sets the cookie."""

import reflex as rx

from clubapp.ui.react.script_path import script


class FactorForm(rx.Component):
    """A form with a field `code`: of the app `factor_id`, or without one a recovery code.

    Calls `on_accept(recovery codes)` or `on_refuse(text)`; without `on_accept` it goes to the person's own page.
    """

    library = script(__name__, "factor.jsx")
    tag = "FactorForm"

    factor_id: rx.Var[str]

    on_accept: rx.EventHandler[rx.event.passthrough_event_spec(list[str])]
    on_refuse: rx.EventHandler[rx.event.passthrough_event_spec(str)]


class PasskeyButton(rx.Component):
    """A button that asks the browser for a passkey. Its `act`: `sign_in`, `verify` (`factor_id`) or `enrol`.

    To add one it takes the name from the field `friendly_name` of its form.
    """

    library = FactorForm.library
    tag = "PasskeyButton"

    act: rx.Var[str]
    factor_id: rx.Var[str]

    on_accept: rx.EventHandler[rx.event.passthrough_event_spec(list[str])]
    on_refuse: rx.EventHandler[rx.event.passthrough_event_spec(str)]

    def first_paint(self) -> rx.Component:
        """The room of the button: without script there is no passkey."""
        return rx.el.button(
            *self.children, type="button", disabled=True, data_waiting="true", class_name=self.class_name
        )


class FactorWatch(rx.Component):
    """Calls `on_verified` when a factor was verified in another tab of this browser."""

    library = FactorForm.library
    tag = "FactorWatch"

    on_verified: rx.EventHandler[rx.event.no_args_event_spec]


factor_form = FactorForm.create
passkey_button = PasskeyButton.create
factor_watch = FactorWatch.create
