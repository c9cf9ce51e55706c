"""The landing page."""
