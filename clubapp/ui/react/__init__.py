"""Small React components of our own, each beside the Python class that wraps it."""
