"""The member's own invitations to future events, answered here, and past ones."""
