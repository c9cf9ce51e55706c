"""The member's own company."""
