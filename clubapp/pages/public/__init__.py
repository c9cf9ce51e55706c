"""The screens of the public area."""
