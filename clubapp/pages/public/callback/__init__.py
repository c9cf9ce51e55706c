"""The screen a sign-in link leads to."""
