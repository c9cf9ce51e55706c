"""The journal of acts."""
