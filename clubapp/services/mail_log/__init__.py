"""Every message and its fate: the log, sending again, the pause of the queue."""
