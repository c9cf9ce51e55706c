"""The page of the day."""
