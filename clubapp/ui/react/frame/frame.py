"""The script of the layouts: one file for menus, takeover and change of screen, so that it is one request."""

from clubapp.ui.react.script_path import script

LIBRARY = script(__name__, "frame.jsx")
