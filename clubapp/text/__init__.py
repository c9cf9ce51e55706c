"""Text without a database: addresses, numbers, links, French grammar, collation."""
