"""Between Reflex or HTTP and the services: session, guard, documents, headers, feedback."""
