"""The states of open tabs: reading, sharing between processes, watching Redis."""
