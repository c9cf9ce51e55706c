"""Parts that the screens of members and companies share."""
