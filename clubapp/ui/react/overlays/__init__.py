"""Dialogs, live regions and what appears on demand."""
