"""The journal of everything that was sent."""
