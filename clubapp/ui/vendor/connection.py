"""What is shown while the server cannot be reached."""

import reflex as rx


class WhenCut(rx.Component):
    """Shows its children while the socket is `broken`, or the browser is offline and the server does not answer."""

    library = f"$/public{rx.asset('connection.jsx', shared=True)}"
    tag = "WhenCut"

    broken: rx.Var[bool]


when_cut = WhenCut.create
