"""What an administrator finds on opening the day: the next event, what is to be done, what leaves, what came in."""
