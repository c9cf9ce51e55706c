"""Addresses by which people decide about their data."""
