"""The member's own invitations: what is to come, answered here, and what is past."""
