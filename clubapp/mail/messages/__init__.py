"""The contents of each kind of mail, composed from the rows as they are when it leaves."""
