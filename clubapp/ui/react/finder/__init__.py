"""The search over everything, as people type into it."""
