"""Addresses of the mails that administrators write."""
