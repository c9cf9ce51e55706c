"""What a change of screen does besides showing it: top of the page, focus on the main heading (A5)."""

import reflex as rx

from clubapp.ui.react.frame import frame


class RouteFocus(rx.Component):
    """Nothing to see. On the first load it leaves the focus where the browser put it; `#anchors` are honoured.

    `on_arrive` is what the screen forgets of an earlier visit, before anyone can press anything on it. Reflex's own
    `on_load` may be heard before it or after a first press, and again whenever the connection comes back.
    """

    library = frame.LIBRARY
    tag = "RouteFocus"

    on_arrive: rx.EventHandler[rx.event.no_args_event_spec]


route_focus = RouteFocus.create
