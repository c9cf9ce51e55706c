"""The members screen."""
