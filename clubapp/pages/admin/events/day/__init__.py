"""What is done on the day of an event: its doors are closed."""
