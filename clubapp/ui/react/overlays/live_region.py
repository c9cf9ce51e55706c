"""A live region that stays reachable while a dialog makes the rest of the page inert."""

import reflex as rx

from clubapp.ui.react.script_path import script


class LiveRegion(rx.Component):
    """Its children, one region each with the role of the same place in `roles`; in an open dialog's head, if any."""

    library = script(__name__, "live_region.jsx")
    tag = "LiveRegion"

    roles: rx.Var[list[str]]


live_region = LiveRegion.create
