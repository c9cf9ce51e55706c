"""The administrators screen."""
