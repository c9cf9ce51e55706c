"""The second step of a sign-in."""
