"""The screen on which a mail is written to a choice of people."""
