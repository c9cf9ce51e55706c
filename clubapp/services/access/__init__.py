"""Sign-in, sessions, their limits, administrators, a change of one's address."""
