"""What is shown while the server cannot be reached."""

import reflex as rx

from clubapp.ui.react.script_path import script


class OfflineNotice(rx.Component):
    """Shows its children while the socket is `broken`, or the browser is offline and the server does not answer."""

    library = script(__name__, "offline_notice.jsx")
    tag = "OfflineNotice"

    broken: rx.Var[bool]


offline_notice = OfflineNotice.create
