"""What each mail says, from the rows as they stand now."""
