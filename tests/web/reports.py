"""What a browser, or whoever poses as one, reports of an error to the handler that Reflex has for it."""

REFLEX = "reflex___state____state"
REPORT = "reflex___state____frontend_event_exception_state.handle_frontend_exception"
# Takes the expressions hours in which Reflex looks for errors that a new load would mend.
HOSTILE = "TypeError: can't access property \"" * 400 + '", ' * 17_000
