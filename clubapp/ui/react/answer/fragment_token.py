"""The token in the fragment of the address: browsers send the fragment to no server."""

import reflex as rx

from clubapp.ui.react.script_path import script


class FragmentToken(rx.Component):
    """Removes the token from the address; a press on `[data-confirm]` inside calls `on_confirm(token)`, once."""

    library = script(__name__, "fragment_token.jsx")
    tag = "FragmentToken"

    on_confirm: rx.EventHandler[rx.event.passthrough_event_spec(str)]


fragment_token = FragmentToken.create
