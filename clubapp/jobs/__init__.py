"""The scheduled jobs."""
