"""The components of the interface, one function each: every screen uses these instead of writing their markup."""

from clubapp.ui.frame.toasts import toasts
from clubapp.ui.kit.badge import badge, status_badge
from clubapp.ui.kit.banner import banner, empty_state, error_state, failure_banner
from clubapp.ui.kit.button import button, close_button, link_button
from clubapp.ui.kit.choice import checkbox, select
from clubapp.ui.kit.dialog import confirm_dialog, dialog
from clubapp.ui.kit.field import field, form_actions, form_row, hidden_field, required_note, text_area
from clubapp.ui.kit.image import image
from clubapp.ui.kit.links import external_link, nav_link, page_link
from clubapp.ui.kit.loading import (
    is_in_address,
    progress_bar,
    skeleton_cards,
    skeleton_lines,
    spinner,
    when_loaded,
    when_there,
)
from clubapp.ui.kit.surface import card, panel, stat_tile, stat_tiles
from clubapp.ui.kit.table import cell, data_table, table_row
from clubapp.ui.kit.text import visually_hidden
from clubapp.ui.react.frame.takeover import takeover
from clubapp.ui.react.lists.polling import polling
from clubapp.ui.react.lists.tabs import tabs

__all__ = [
    "badge",
    "banner",
    "button",
    "card",
    "cell",
    "checkbox",
    "close_button",
    "confirm_dialog",
    "data_table",
    "dialog",
    "empty_state",
    "error_state",
    "external_link",
    "failure_banner",
    "field",
    "form_actions",
    "form_row",
    "hidden_field",
    "image",
    "is_in_address",
    "link_button",
    "nav_link",
    "page_link",
    "panel",
    "polling",
    "progress_bar",
    "required_note",
    "select",
    "skeleton_cards",
    "skeleton_lines",
    "spinner",
    "stat_tile",
    "stat_tiles",
    "status_badge",
    "table_row",
    "tabs",
    "takeover",
    "text_area",
    "toasts",
    "visually_hidden",
    "when_loaded",
    "when_there",
]
