"""The member's own profile."""
