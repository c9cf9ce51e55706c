"""Where the browser's part of the frame is: one file for menus, takeover and change of screen, fetched at once."""

from clubapp.ui.react.script_path import script

LIBRARY = script(__name__, "frame.jsx")
