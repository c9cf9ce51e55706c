"""The HTTP addresses beside the pages, one module each."""
