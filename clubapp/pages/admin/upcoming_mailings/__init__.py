"""The planned mailings."""
