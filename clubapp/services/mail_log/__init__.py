"""The mail log, resending, and the pause of the queue."""
