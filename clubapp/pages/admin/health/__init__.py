"""How the installation is."""
