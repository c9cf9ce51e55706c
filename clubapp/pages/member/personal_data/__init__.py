"""What the club holds on a member, and the way out."""
