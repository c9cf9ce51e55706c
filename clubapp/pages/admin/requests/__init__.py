"""The requests that people make about their data."""
