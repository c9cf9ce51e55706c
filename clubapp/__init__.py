"""Clubapp: the website and back office of a regional business club."""
