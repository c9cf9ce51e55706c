"""Components of the layouts: menus, takeover, change of screen, session."""
