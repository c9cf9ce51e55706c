"""The calling list of an event."""
