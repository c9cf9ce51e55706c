"""Links to files of the administration, which need a recent proof (S13)."""

from typing import Any

import reflex as rx

from clubapp.ui.kit.links import external_link
from clubapp.ui.kit.text import Text
from clubapp.web.screens.proof import DownloadState


def download_link(text: Text, href: Any, **props: Any) -> rx.Component:
    """A link to a file. A press asks for the proof first where it is too old; without script the address says so."""
    # `download` keeps the browser from firing `beforeunload`, at which Reflex closes its connection.
    return external_link(text, href, download=True, on_click=DownloadState.fetch(href).prevent_default, **props)
