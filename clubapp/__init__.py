"""Clubapp: the website and back office of a regional business club."""

# Of the newest release in CHANGELOG.md.
VERSION = "1.2.0"
