"""Sign-in and its limits, sessions, administrators, changes of e-mail address."""
