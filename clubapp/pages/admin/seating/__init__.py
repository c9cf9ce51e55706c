"""Who sits at which table of an event's lunch."""
