"""The token of a link that leads here: in the fragment, which no server and no mail scanner reads."""

import reflex as rx


class FragmentToken(rx.Component):
    """Takes the token out of the address; a pressed `[data-confirm]` inside it calls `on_confirm(token)`, once."""

    library = f"$/public{rx.asset('fragment_token.jsx', shared=True)}"
    tag = "FragmentToken"

    on_confirm: rx.EventHandler[rx.event.passthrough_event_spec(str)]


fragment_token = FragmentToken.create
