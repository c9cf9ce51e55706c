"""The screens of the member area."""
