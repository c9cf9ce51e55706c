"""The two legal pages."""
