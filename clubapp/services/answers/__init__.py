"""Answers to an event: capacity, waiting list, recording, by link and signed in."""
