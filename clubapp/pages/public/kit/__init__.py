"""The components on one page."""
