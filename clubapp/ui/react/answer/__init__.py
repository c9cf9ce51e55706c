"""Components of the answer page."""
