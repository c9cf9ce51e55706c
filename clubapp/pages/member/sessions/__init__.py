"""The signed-in person's own sessions, in both areas."""
