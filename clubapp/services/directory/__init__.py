"""What visitors see of members and companies."""
