"""The answer page: one question at a time, beside the event (D3)."""
