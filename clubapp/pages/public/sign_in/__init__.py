"""The sign-in screen."""
