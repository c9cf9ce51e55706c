"""Erasure, export of one's data, retention, legal pages."""
