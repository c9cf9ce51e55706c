"""Dialogs, live regions and panels that appear on demand."""
