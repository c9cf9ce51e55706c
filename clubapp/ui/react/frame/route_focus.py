"""After a change of screen: scroll to the top, focus on the main heading (A5)."""

import reflex as rx

from clubapp.ui.react.frame import frame


class RouteFocus(rx.Component):
    """Invisible. The first load leaves the focus where the browser put it; an `#anchor` is scrolled to instead.

    `on_arrive` resets what an earlier visit left in the screen's state, before anything can be pressed. Reflex's own
    `on_load` may run before it or after a first press, and runs again whenever the connection comes back.
    """

    library = frame.LIBRARY
    tag = "RouteFocus"

    on_arrive: rx.EventHandler[rx.event.no_args_event_spec]


route_focus = RouteFocus.create
