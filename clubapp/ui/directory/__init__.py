"""Members and companies as visitors see them."""
