"""Parts that the mail screens share."""
