"""The personal data of a member: export and requests."""
