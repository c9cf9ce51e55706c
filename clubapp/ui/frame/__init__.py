"""What surrounds a screen: layouts, titles, toasts, session, identity of the club."""
