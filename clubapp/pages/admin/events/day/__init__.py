"""What belongs to the day of an event: its numbers are told, its doors are closed."""
