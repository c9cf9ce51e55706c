"""The member directory."""
