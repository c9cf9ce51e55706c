"""The call list of an event."""
