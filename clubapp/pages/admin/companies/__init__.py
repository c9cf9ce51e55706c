"""The companies screen."""
