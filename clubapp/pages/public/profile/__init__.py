"""A member's public page."""
