"""Import and export of members and companies as tables."""
