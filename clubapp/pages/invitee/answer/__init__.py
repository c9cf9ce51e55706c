"""The answer page: one question a screen, the event always in sight (D3)."""
