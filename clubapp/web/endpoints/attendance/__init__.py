"""The arrivals of an event: a page of its own that works without network, and the addresses that it calls."""
