"""The server process: workers, their supervisor, limits of one connection."""
