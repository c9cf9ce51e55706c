"""The people of an event: list, one person, call list, sheets."""
