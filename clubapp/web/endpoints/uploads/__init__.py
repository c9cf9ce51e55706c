"""The addresses that take a file."""
