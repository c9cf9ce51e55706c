"""The screen that imports members or companies from a table."""
