"""The directory of members, for members."""
