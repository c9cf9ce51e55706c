"""A company's public page."""
