"""The events screen: calendar, upcoming list, form and detail."""
