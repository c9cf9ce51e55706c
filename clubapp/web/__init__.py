"""Between Reflex or HTTP and the services: documents, endpoints, screens, security, states."""
