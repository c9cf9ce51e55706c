"""Monitoring: the figures of an installation."""
