"""The mailings that will go out by themselves."""
