"""What tells that the club lives."""
