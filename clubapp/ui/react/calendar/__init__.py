"""The calendar of events."""
