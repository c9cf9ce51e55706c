"""The token of a link that leads here: in the fragment, which no server and no mail scanner reads."""

import reflex as rx

from clubapp.ui.react.script_path import script


class FragmentToken(rx.Component):
    """Takes the token out of the address; a pressed `[data-confirm]` inside it calls `on_confirm(token)`, once."""

    library = script(__name__, "fragment_token.jsx")
    tag = "FragmentToken"

    on_confirm: rx.EventHandler[rx.event.passthrough_event_spec(str)]


fragment_token = FragmentToken.create
