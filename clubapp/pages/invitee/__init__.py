"""The screens of the invitee area."""
