"""How things look: one function per component, used by every screen. No screen writes markup for these again."""

from clubapp.ui.badge import badge, status_badge
from clubapp.ui.button import button, close_button, link_button
from clubapp.ui.choice import checkbox, select
from clubapp.ui.dialog import confirm_dialog, dialog
from clubapp.ui.field import field, form_actions, form_row, required_note, text_area
from clubapp.ui.image import image
from clubapp.ui.links import external_link, nav_link, page_link
from clubapp.ui.notice import banner, empty_state, error_state
from clubapp.ui.surface import card, panel, stat_tile, stat_tiles
from clubapp.ui.table import cell, data_table, table_row
from clubapp.ui.text import visually_hidden
from clubapp.ui.toasts import toasts
from clubapp.ui.vendor.tabs import tabs
from clubapp.ui.vendor.takeover import takeover
from clubapp.ui.vendor.ticker import ticker
from clubapp.ui.waiting import once_read, progress_bar, skeleton_cards, skeleton_lines, spinner

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
    "field",
    "form_actions",
    "form_row",
    "image",
    "link_button",
    "nav_link",
    "once_read",
    "page_link",
    "panel",
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
    "ticker",
    "toasts",
    "visually_hidden",
]
