"""Who sits where at lunch: a proposal, the tables of an event, and whom a member has not met."""
