"""What an event has on paper."""
