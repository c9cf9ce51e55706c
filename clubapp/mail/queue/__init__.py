"""The outbox: its rows, their claims and retries, the pause of the queue, group commits."""
