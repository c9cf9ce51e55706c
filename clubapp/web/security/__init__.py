"""Who may call what: guard, websocket gate, headers, session of a request."""
