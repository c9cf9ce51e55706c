"""Components of lists and tabs."""
