"""Messages, the outbox and its delivery."""
