"""The health of the installation."""
