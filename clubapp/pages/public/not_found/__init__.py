"""The page of unknown addresses."""
