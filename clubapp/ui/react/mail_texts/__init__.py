"""Writing the text of a mail: formatting, variables, pictures."""
