"""The page of the day in a browser."""
