"""What a change of screen does besides showing it: top of the page, focus on the main heading."""

import reflex as rx


class RouteFocus(rx.Component):
    """Nothing to see. On the first load it leaves the focus where the browser put it; `#anchors` are honoured."""

    library = f"$/public{rx.asset('route_focus.jsx', shared=True)}"
    tag = "RouteFocus"


route_focus = RouteFocus.create
