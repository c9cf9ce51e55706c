"""Components of the frame: menus, takeover, change of screen, session."""
