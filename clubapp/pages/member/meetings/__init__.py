"""A member's home: the next event, who comes, past events."""
