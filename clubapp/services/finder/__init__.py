"""The search over everything of the administration: people, companies, meetings, and what can be done."""
