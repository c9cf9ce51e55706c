"""What is shown while the server cannot be reached."""

import reflex as rx

from clubapp.ui.react.script_path import script


class OfflineNotice(rx.Component):
    """Shows its children while the socket is `broken`, or the browser is offline and the server does not answer.

    On the screens that need a socket it shows `blocked` instead, with the socket's address and port for `{address}` and
    `{port}`, when none was ever `connected` after 4 s though the server answers: the network lets no websocket pass.
    It shows `full` when the server says that too many are open from this address. Both can be closed. It shows `missed`
    when another screen was asked for and its scripts could not be fetched: the present one stays.
    """

    library = script(__name__, "offline_notice.jsx")
    tag = "OfflineNotice"

    broken: rx.Var[bool]
    connected: rx.Var[bool]
    blocked: rx.Var[str]
    full: rx.Var[str]
    missed: rx.Var[str]


offline_notice = OfflineNotice.create
