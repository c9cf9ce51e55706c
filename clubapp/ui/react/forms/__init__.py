"""Components of forms."""
