"""The screens of the admin area."""
