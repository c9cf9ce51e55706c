"""The server process: workers, their supervisor, limits of a connection."""
