"""The public directory of members and companies."""
