"""Delivery of letters: MIME, SMTP, passes over the queue."""
