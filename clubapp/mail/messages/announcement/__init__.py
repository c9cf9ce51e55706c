"""What the caterer and the host of an event are told: the numbers as they were frozen."""
