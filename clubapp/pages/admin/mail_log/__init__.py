"""The mail log."""
