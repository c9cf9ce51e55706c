"""What a change of screen does besides showing it: top of the page, focus on the main heading."""

import reflex as rx

from clubapp.ui.vendor import frame


class RouteFocus(rx.Component):
    """Nothing to see. On the first load it leaves the focus where the browser put it; `#anchors` are honoured."""

    library = frame.LIBRARY
    tag = "RouteFocus"


route_focus = RouteFocus.create
