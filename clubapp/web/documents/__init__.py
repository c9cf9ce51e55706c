"""The HTML documents that the server writes."""
