"""A live region that stays reachable while a dialog makes the rest of the page inert."""

import reflex as rx

from clubapp.ui.react.script_path import script


class LiveRegion(rx.Component):
    """One region for each child, with the role of the same index in `roles`; in the topmost dialog if one is open."""

    library = script(__name__, "live_region.jsx")
    tag = "LiveRegion"

    roles: rx.Var[list[str]]


live_region = LiveRegion.create
