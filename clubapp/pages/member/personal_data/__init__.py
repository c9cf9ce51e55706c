"""The personal data of a member: export and request for erasure."""
