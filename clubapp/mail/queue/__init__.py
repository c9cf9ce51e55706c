"""The outbox: rows, claims, retries, pause, commits."""
