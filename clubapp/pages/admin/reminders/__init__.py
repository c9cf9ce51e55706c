"""The screen of the reminder settings."""
