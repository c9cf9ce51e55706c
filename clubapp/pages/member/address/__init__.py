"""Where the link of a new e-mail address leads."""
